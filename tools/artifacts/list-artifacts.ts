import { z } from 'zod';
import { SourceChoiceError } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { refused } from '../../src/core/tool-result.ts';
import { fitList, listOf } from '../dbt/shape-changes.ts';
import { createListShortener } from '../runs/shorten-lists.ts';
import { answerLists } from './answer-lists.ts';
import { ARTIFACT_KINDS, type ArtifactKind } from './detect-artifact.ts';
import { findArtifacts } from './find-artifacts.ts';
import { shortenText } from './shorten-text.ts';

/** The tools that read files of each kind. */
const READ_BY: Readonly<Record<ArtifactKind, readonly string[]>> = {
  dbt_manifest: ['lineage', 'changes_between', 'compare_dbt_runs'],
  dbt_run_results: ['read_dbt_run', 'compare_dbt_runs', 'read_checks'],
  dbt_catalog: [],
  dbt_freshness: [],
  great_expectations: ['read_checks'],
  soda_scan: ['read_checks'],
  spark_event_log: ['spark_stages'],
  openlineage: ['read_openlineage', 'lineage'],
  dagster_events: ['summarize_log', 'search_logs'],
  git_repository: ['changes_between'],
};

const output = z.object({
  kinds: z.array(
    z.object({ kind: z.enum(ARTIFACT_KINDS), source: z.string(), files: z.number(), newest: z.string(), read_with: z.array(z.string()) }),
  ),
  files: listOf(z.object({ source: z.string(), path: z.string(), kind: z.enum(ARTIFACT_KINDS), bytes: z.number(), modified: z.string() })),
});

/** What files of runs, checks and lineage the sources hold. */
export const listArtifacts = defineTool({
  name: 'list_artifacts',
  description:
    'Finds by content what files of runs, checks and lineage the sources hold, whatever their names: dbt manifests and run results, Great Expectations and Soda results, Spark event logs, OpenLineage and Dagster events, git repositories; with the tools that read each. Use it first when a source is a folder of files or logs.',
  input: z.object({
    source: z.string().optional().describe('Name of the source; all that have files unless named'),
    path: z.string().optional().describe('The beginning of paths'),
    limit: z.number().int().min(1).max(500).default(40),
  }),
  output,
  effect: 'read',
  example: {},
  async run({ source, path, limit }, context) {
    try {
      const found = await findArtifacts(context, { source, path });
      const lists = createListShortener();
      lists.warn(found.warnings);
      const groups = new Map<string, z.output<typeof output>['kinds'][number]>();
      for (const one of found.artifacts) {
        const key = JSON.stringify([one.source, one.kind]);
        const modified = one.modified.toISOString();
        const known = groups.get(key);
        if (!known) groups.set(key, { kind: one.kind, source: one.source, files: 1, newest: modified, read_with: [...READ_BY[one.kind]] });
        else {
          known.files++;
          if (modified > known.newest) known.newest = modified;
        }
      }
      const shaped = found.artifacts.map((one) => ({
        source: one.source,
        path: shortenText(one.path, 200),
        kind: one.kind,
        bytes: one.bytes,
        modified: one.modified.toISOString(),
      }));
      const data = {
        kinds: lists.shorten('kinds', [...groups.values()], { characters: 3000 }),
        files: fitList(lists, 'files', shaped, { characters: 4500, most: limit }),
      };
      const ending = { lists, whole: found.complete, now: context.now(), total: shaped.length, returned: data.files.returned };
      return answerLists(data, { ...ending, nothing: shaped.length === 0 });
    } catch (error) {
      if (error instanceof SourceChoiceError) return refused('source_choice', error.message);
      throw error;
    }
  },
});
