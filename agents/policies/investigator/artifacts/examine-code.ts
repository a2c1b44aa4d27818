import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from '../part-report.ts';
import { asksFor, type Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { changeText } from './dbt-changes.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';

/** What changed in the code: commits of a repository in a source, or two manifests where no results stand beside them. */
export async function examineCode(play: Play, question: Question, found: FoundArtifacts): Promise<PartReport> {
  const compared = new Set(
    holding(found, 'dbt_run_results')
      .filter(({ files }) => files > 1)
      .map(({ source }) => source),
  );
  const manifests = holding(found, 'dbt_manifest').filter(({ source, files }) => files > 1 && !compared.has(source));
  const sources = [...new Set([...holding(found, 'git_repository'), ...manifests].map(({ source }) => source))].slice(0, 3);
  const reports = await Promise.all(
    sources.map(async (source) => {
      const result = await callIfOffered(play, 'changes_between', { source });
      return usable(result) ? tell(question, result) : NOTHING;
    }),
  );
  return mergeReports(reports);
}

function tell(question: Question, result: ToolResult): PartReport {
  const data = read(result.data);
  const claim = data.text('kind') === 'git' ? commits(data) : nodes(data);
  if (claim === undefined) return NOTHING;
  const finding: Finding = {
    kind: 'observation',
    claim,
    evidence: [result.id],
    confidence: 'medium',
    refuted_by: 'the same result with the code as it was before',
  };
  const leads = question.aims.size === 0 || asksFor(question, 'slow', 'drift', 'wrong', 'failed', 'duplicates', 'missing', 'checks');
  return { answer: leads ? [`${claim.replace(/\.$/, '')}${cite(result)}.`] : [], detail: [], findings: [finding] };
}

function commits(data: Reading): string | undefined {
  const git = data.at('git');
  const list = git.at('commits').list('items');
  if (list.length === 0) return undefined;
  const files = git
    .at('files')
    .list('items')
    .filter((one) => one.text('kind') !== 'other');
  const told = files.slice(0, 5).map(
    (one) =>
      `${one.text('path') ?? ''}${
        one.texts('lines').length === 0
          ? ''
          : ` (${one
              .texts('lines')
              .slice(0, 6)
              .map((line) => line.replace(/\s+/g, ' ').trim())
              .join(' ; ')})`
      }`,
  );
  const said = list.slice(0, 4).map((one) => `${one.text('at') ?? ''} "${one.text('subject') ?? ''}" by ${one.text('author') ?? ''}`);
  return `In the repository ${figure(git.at('commits').number('total'))} commits were read, the newest: ${enumerate(said, 4)}${told.length === 0 ? '' : `; changed: ${enumerate(told, 5)}`}.`;
}

function nodes(data: Reading): string | undefined {
  const changed = data.at('changed_nodes').list('items');
  const gone = data.at('tests_disappeared').list('items');
  if (changed.length + gone.length === 0) return undefined;
  const parts = [
    ...(changed.length > 0
      ? [
          `changed ${enumerate(
            changed.slice(0, 5).map((one) => `\`${one.text('node') ?? ''}\` (${changeText(one)})`),
            5,
          )}`,
        ]
      : []),
    ...(gone.length > 0
      ? [
          `tests that disappeared: ${enumerate(
            gone.slice(0, 5).map((one) => `\`${one.text('test') ?? ''}\` (${one.text('why') ?? ''})`),
            5,
          )}`,
        ]
      : []),
  ];
  return `From the manifest ${data.text('from') ?? ''} to ${data.text('to') ?? ''}: ${parts.join('; ')}.`;
}
