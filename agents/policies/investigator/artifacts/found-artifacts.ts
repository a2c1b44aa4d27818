import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, usable } from '../part-report.ts';
import { read } from '../read-data.ts';

/** What files of runs, checks and lineage the sources hold, by content. */
export interface FoundArtifacts {
  readonly result: string;
  /** Source and number of files of a kind. */
  readonly kinds: readonly { readonly kind: string; readonly source: string; readonly files: number }[];
  /** Paths that are no tables although a table engine may read them. */
  readonly paths: ReadonlySet<string>;
}

const NONE: FoundArtifacts = { result: '', kinds: [], paths: new Set() };
const WITH_FILES: ReadonlySet<string> = new Set(['files', 'logs', 'dbt', 'openlineage']);

/** One look at what the files of all sources are; nothing where no source has files. */
export async function findArtifacts(play: Play): Promise<FoundArtifacts> {
  if (!play.sources.some(({ kind }) => WITH_FILES.has(kind))) return NONE;
  const result = await callIfOffered(play, 'list_artifacts', { limit: 200 });
  if (!usable(result)) return NONE;
  const data = read(result.data);
  return {
    result: result.id,
    kinds: data
      .list('kinds')
      .map((one) => ({ kind: one.text('kind') ?? '', source: one.text('source') ?? '', files: one.number('files') ?? 0 })),
    paths: new Set(
      data
        .at('files')
        .list('items')
        .map((file) => file.text('path') ?? ''),
    ),
  };
}

/** The sources that hold files of one of these kinds, with how many. */
export function holding(
  found: FoundArtifacts,
  ...kinds: readonly string[]
): readonly { readonly source: string; readonly files: number }[] {
  const sources = new Map<string, number>();
  for (const { kind, source, files } of found.kinds) if (kinds.includes(kind)) sources.set(source, (sources.get(source) ?? 0) + files);
  return [...sources].map(([source, files]) => ({ source, files }));
}
