import type { SourceKind } from './source.ts';

/** A source as `soloist.yaml` or `--source` declares it, validated, with `${NAME}` filled in. */
export interface SourceSpec {
  readonly name: string;
  readonly kind: SourceKind;
  /** Absolute paths; one for most kinds, several `target` folders for `dbt`, none for `postgres` and `airflow`. */
  readonly paths: readonly string[];
  /** Base URL of `airflow`, connection string of `postgres`; may hold a secret: never shown. */
  readonly url?: string;
  /** Bearer token of `airflow`; never shown. */
  readonly token?: string;
  /** Set where `--source` brought it or picked it out of the project's, or where it is the folder itself for want of any other. */
  readonly given?: 'flag' | 'picked' | 'folder';
}

/** What an adapter may use when it opens. */
export interface SourceEnvironment {
  /** A folder of ours for temporary files, made by the caller and emptied when the run ends. */
  readonly scratch: string;
}
