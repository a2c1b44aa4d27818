import { type RunDetail, type RunHistory, RunNotFoundError, type Source } from '../../src/core/source.ts';
import type { ToolContext } from '../../src/core/tool.ts';

/** A run with the source it was found in. */
export interface FoundRun {
  readonly source: Source & { readonly runs: RunHistory };
  readonly detail: RunDetail;
}

/** All sources of runs, or the one named. @throws SourceChoiceError when there is none of that name. */
export async function runSources(
  context: ToolContext,
  name: string | undefined,
): Promise<readonly (Source & { readonly runs: RunHistory })[]> {
  const sources = name === undefined ? await context.sources.withCapability('runs') : [await context.sources.pick('runs', name)];
  const [first] = sources;
  if (!first) await context.sources.pick('runs');
  return sources.filter((source): source is Source & { readonly runs: RunHistory } => source.runs !== undefined);
}

/** Looks for the run in the named source, else in every source of runs. @throws RunNotFoundError, SourceChoiceError */
export async function findRun(
  context: ToolContext,
  wanted: { readonly run_id: string; readonly pipeline?: string | undefined; readonly source?: string | undefined },
): Promise<FoundRun> {
  let failure: unknown;
  for (const source of await runSources(context, wanted.source)) {
    try {
      return { source, detail: await source.runs.getRun(wanted.run_id, wanted.pipeline, context.scope) };
    } catch (error) {
      if (!(error instanceof RunNotFoundError)) throw error;
      failure ??= error;
    }
  }
  throw failure ?? new RunNotFoundError(`there is no run "${wanted.run_id}"`);
}
