import type { ToolContext } from '../../src/core/tool.ts';
import type { ToolWarning } from '../../src/core/tool-result.ts';
import { type Artifact, findArtifacts } from '../artifacts/find-artifacts.ts';
import { readArtifact } from '../artifacts/read-artifact.ts';
import { readDbtResults } from '../dbt/dbt-results.ts';
import { folderOf } from '../dbt/load-invocations.ts';
import type { CheckRun, CheckTool } from './check-result.ts';
import { readDbtTests } from './read-dbt-tests.ts';
import { readValidations, type Validation } from './read-expectations.ts';
import { readSodaScan } from './read-soda.ts';

const TOOLS: Readonly<Record<string, CheckTool>> = { great_expectations: 'great_expectations', soda_scan: 'soda', dbt_run_results: 'dbt' };

export interface LoadedChecks {
  /** By suite, the newest run of each first. */
  readonly runs: readonly CheckRun[];
  readonly warnings: readonly ToolWarning[];
  readonly complete: boolean;
}

/** Every result of a data quality tool in the sources that have files. @throws SourceChoiceError */
export async function loadCheckRuns(
  context: ToolContext,
  wanted: { readonly source?: string | undefined; readonly path?: string | undefined },
): Promise<LoadedChecks> {
  const found = await findArtifacts(context, { ...wanted, kinds: ['great_expectations', 'soda_scan', 'dbt_run_results'] });
  const warnings = [...found.warnings];
  const runs: CheckRun[] = [];
  let { complete } = found;
  for (const artifact of found.artifacts) {
    const read = await readArtifact(artifact);
    if (!read.ok) {
      complete = false;
      warnings.push({ code: 'broken_file', message: read.message });
      continue;
    }
    for (const validation of validationsOf(artifact, read.value)) {
      const { nonFinite, nonFiniteCount } = read;
      const { source, path, kind } = artifact;
      runs.push({
        source,
        path,
        tool: TOOLS[kind] ?? 'dbt',
        nonFinite,
        nonFiniteCount,
        ...validation,
        at: validation.at ?? artifact.modified.toISOString(),
      });
    }
  }
  return { runs: runs.sort(bySuiteAndTime), warnings, complete };
}

function validationsOf({ kind, path }: Artifact, value: Parameters<typeof readSodaScan>[0]): readonly Validation[] {
  if (kind === 'great_expectations')
    return readValidations(value).map((one) => ({ ...one, suite: one.suite || `unnamed suite in ${folderOf(path) || 'the folder'}` }));
  if (kind === 'soda_scan') return [readSodaScan(value)];
  const results = readDbtResults(value);
  const tests = results && readDbtTests(results);
  return tests ? [tests] : [];
}

function bySuiteAndTime(left: CheckRun, right: CheckRun): number {
  const [one, other] = [`${left.tool} ${left.suite}`, `${right.tool} ${right.suite}`];
  if (one !== other) return one < other ? -1 : 1;
  return (Date.parse(right.at ?? '') || 0) - (Date.parse(left.at ?? '') || 0) || (left.path < right.path ? 1 : -1);
}
