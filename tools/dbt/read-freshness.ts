import { z } from 'zod';
import type { Artifact } from '../artifacts/find-artifacts.ts';
import { type Json, numberOf, objectOf, objectsOf, readArtifact, textOf } from '../artifacts/read-artifact.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { folderOf, type Invocation } from './load-invocations.ts';
import { figure } from './shape-node-results.ts';

export const freshnessShape = z.object({
  path: z.string(),
  checked: z.number().describe('sources whose freshness was checked'),
  stale: z.array(
    z.object({
      source: z.string(),
      status: z.string(),
      newest_row_at: z.string().nullable(),
      checked_at: z.string().nullable(),
      age_s: figure,
      warn_after: z.string().optional(),
      error_after: z.string().optional(),
    }),
  ),
});

const MOST_STALE = 10;

/** What a sources.json says, in a sentence, where no run was found that it could stand beside. */
export async function tellFreshness([artifact]: readonly Artifact[]): Promise<string | undefined> {
  const read = artifact && (await readArtifact(artifact));
  if (!artifact || !read?.ok) return undefined;
  const results = objectsOf(read.value.results);
  const stale = results.filter(isStale).map((result) => `${textOf(result.unique_id)} (${String(result.status)})`);
  const named = stale.length === 0 ? 'all fresh' : `not fresh: ${stale.slice(0, MOST_STALE).join(', ')}`;
  return `${shortenText(artifact.path, 150)} tells of the freshness of ${results.length} sources; ${shortenText(named, 600)}`;
}

function isStale({ status }: Json): boolean {
  return !/^(pass|success)$/i.test(String(status));
}

/** What dbt's own check of its sources says (sources.json v1 to v3), of the folder of a run, else of the newest of its source. */
export async function readFreshness(chosen: Invocation, found: readonly Artifact[]): Promise<z.output<typeof freshnessShape> | undefined> {
  const own = found.filter(({ source }) => source === chosen.source);
  const beside = own.filter(({ path }) => folderOf(path) === folderOf(chosen.path));
  const [artifact] = beside.length > 0 ? beside : own.filter(({ path }) => !chosen.folders.has(folderOf(path)));
  const read = artifact && (await readArtifact(artifact));
  if (!read?.ok) return undefined;
  const results = objectsOf(read.value.results);
  const stale = results.filter(isStale);
  return { path: shortenText(artifact?.path ?? '', 150), checked: results.length, stale: stale.slice(0, MOST_STALE).map(shapeSource) };
}

function shapeSource(result: Json): z.output<typeof freshnessShape>['stale'][number] {
  const criteria = objectOf(result.criteria);
  const [warn, error] = [limitOf(objectOf(criteria.warn_after)), limitOf(objectOf(criteria.error_after))];
  return {
    source: shortenText(textOf(result.unique_id) ?? '', 200),
    status: shortenText(String(result.status ?? 'unknown'), 60),
    newest_row_at: textOf(result.max_loaded_at) ?? null,
    checked_at: textOf(result.snapshotted_at) ?? null,
    age_s: numberOf(result.max_loaded_at_time_ago_in_s),
    ...(warn === undefined ? {} : { warn_after: warn }),
    ...(error === undefined ? {} : { error_after: error }),
  };
}

function limitOf({ count, period }: Json): string | undefined {
  return typeof count === 'number' && typeof period === 'string' ? `${count} ${period}` : undefined;
}
