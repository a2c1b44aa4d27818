import { FileAccessError, type FileListing, type Source } from '../../src/core/source.ts';

/** The files of a source that a log tool reads, smallest first, so that one huge file does not keep the rest unread. */
export interface LogFiles extends FileListing {
  readonly skipped: { readonly total: number; readonly examples: readonly string[] };
}

const NO_LOGS =
  /\.(?:csv|tsv|parquet|avro|orc|arrow|feather|duckdb|db|sqlite3?|wal|ya?ml|toml|ini|cfg|sql|py|ts|js|md|html?|xml|svg|png|jpe?g|gif|pdf|zip|jar|pyc|xlsx?|crc)(?:\.(?:gz|zst|bz2|xz))?$/i;

/** A database's log in the form of a table is a log all the same, by the names that PostgreSQL gives it. */
const CSV_LOG = /(?:^|\/)(?:postgres(?:ql)?(?:[-_.](?:log\b|\d|(?:mon|tue|wed|thu|fri|sat|sun)\b)[^/]*)?|[^/]*csvlog[^/]*)\.csv(?:\.gz)?$/i;

/** The absolute path of a file of the source; undefined when it has gone or may not be read, which leaves it unread. */
export async function resolveLogFile(source: Source, path: string): Promise<string | undefined> {
  try {
    return await source.files?.resolve(path);
  } catch (error) {
    if (error instanceof FileAccessError) return undefined;
    throw error;
  }
}

/** Files by their names: data, code and settings beside the logs are passed over unless `path` names one exactly. */
export async function chooseLogFiles(source: Source, path: string | undefined): Promise<LogFiles> {
  if (!source.files) return { entries: [], skipped: { total: 0, examples: [] }, warnings: [], complete: true };
  const prefix = (path ?? '').replace(/^\.\//, '');
  const { entries, warnings, complete } = await source.files.list(prefix);
  const wanted = entries.filter((entry) => entry.path === prefix || !NO_LOGS.test(entry.path) || CSV_LOG.test(entry.path));
  const chosen = new Set(wanted);
  const skipped = entries.filter((entry) => !chosen.has(entry));
  return {
    entries: [...wanted].sort((left, right) => left.bytes - right.bytes || (left.path < right.path ? -1 : 1)),
    skipped: { total: skipped.length, examples: skipped.slice(0, 3).map((entry) => entry.path) },
    warnings,
    complete,
  };
}
