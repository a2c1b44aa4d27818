import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, type Finding, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { figure, type Reading, read } from '../read-data.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';
import { applicationName, failureText, isOdd, lostExecutors, lostText, oddities, percent, stageName, stageText } from './spark-facts.ts';
import { sparkSlower } from './spark-slower.ts';

/** A stage that takes less of the application's time explains nothing of it. */
const WEIGHTY = 0.05;
const LONGER = 1.2;

/** Spark applications by their event logs: why tasks died, which stage took the time, whether its data is skewed. */
export async function examineSpark(play: Play, _question: Question, found: FoundArtifacts): Promise<PartReport> {
  const sources = holding(found, 'spark_event_log').slice(0, 3);
  const reports = await Promise.all(
    sources.map(async ({ source }) => {
      const result = await callIfOffered(play, 'spark_stages', { source });
      if (!usable(result)) return NOTHING;
      const before = await applicationBefore(play, result, source);
      return tellApplication(result, before);
    }),
  );
  return mergeReports(reports);
}

type Told = Omit<Finding, 'evidence'> & { readonly evidence?: readonly string[] };

function asBeside(finding: Finding): Told {
  return { ...finding, kind: 'observation' };
}

/** An earlier run of the same application, where the source holds one. */
async function applicationBefore(play: Play, result: ToolResult, source: string): Promise<ToolResult | undefined> {
  const data = read(result.data);
  const name = data.text('app_name');
  const other = data
    .texts('other_apps')
    .map((text) => /^(\S+) \((.*)\)$/.exec(text))
    .find((found) => found?.[2] === name && found?.[1] !== data.text('app_id'));
  const id = other?.[1];
  const earlier = id === undefined ? undefined : await callIfOffered(play, 'spark_stages', { source, app: id });
  return usable(earlier) && (read(earlier.data).text('started_at') ?? '9') < (data.text('started_at') ?? '') ? earlier : undefined;
}

function tellApplication(result: ToolResult, before: ToolResult | undefined): PartReport {
  const data = read(result.data);
  const stages = data.at('stages').list('items');
  const found = [...broken(data, stages), ...lost(data), ...failures(data, stages), ...odd(data, stages, before)];
  const explained = found.some(({ kind }) => kind === 'cause');
  const slower = before ? sparkSlower(result, before) : [];
  const causes = explained ? [...found, ...slower.map(asBeside)] : [...slower, ...found];
  const findings = [...causes, whole(data), ...wholeBefore(before), ...nothingOdd(data, result, causes)].map((one) => ({
    evidence: [result.id],
    ...one,
  }));
  return { ...tell(...findings.filter(({ kind }) => kind !== 'ruled_out' || causes.length === 0)), findings };
}

function broken(data: Reading, stages: readonly Reading[]): Told[] {
  const failed = stages.filter((one) => one.text('status') === 'failed');
  return failed.slice(0, 3).map((stage) => ({
    kind: 'cause',
    claim: `${applicationName(data)} failed in ${stageText(stage)}: ${failureText(stage)}.`,
    confidence: 'high',
  }));
}

function failures(data: Reading, stages: readonly Reading[]): Told[] {
  const fatal = stages.some((one) => one.text('status') === 'failed');
  const reasons = data.at('failures').list('items');
  return reasons.slice(0, 4).map((one) => ({
    kind: fatal ? 'cause' : 'observation',
    claim: `Tasks that failed with ${one.text('reason') ?? ''}: count ${figure(one.number('count'))}${one.text('example') === '' ? '' : `, the first of them with "${one.text('example')}"`}.`,
    confidence: 'high',
  }));
}

function lost(data: Reading): Told[] {
  const executors = lostExecutors(data);
  if (executors.length === 0) return [];
  return [{ kind: 'cause', claim: `Executors were lost: ${lostText(executors)}.`, confidence: 'high' }];
}

/** Stages that are odd and weigh: what is odd in one that took no time explains nothing. */
function odd(data: Reading, stages: readonly Reading[], before: ToolResult | undefined): Told[] {
  const whole = data.number('duration_s') ?? 0;
  const found = stages.filter((stage) => isOdd(stage) && (stage.text('status') === 'failed' || weight(stage) >= WEIGHTY * whole));
  const first = [...found].sort((left, right) => weight(right) - weight(left));
  return first.slice(0, 3).map((stage) => {
    const claim = `In ${stageText(stage)}: ${stage.texts('findings').join('; ')}.`;
    if (before && wasSo(stage, before))
      return { kind: 'observation', claim: `${claim.replace(/\.$/, '')}; so it was in the application before.`, confidence: 'high' };
    return { kind: 'cause', claim, confidence: 'high', refuted_by: 'the same stage with evenly spread data taking as long' };
  });
}

/** Whether the stage of the same name was odd in the same way and took about as long in the application before. */
function wasSo(stage: Reading, before: ToolResult): boolean {
  const kinds = (one: Reading): string =>
    oddities(one)
      .map((text) => text.split(':', 1)[0])
      .sort()
      .join();
  const same = read(before.data)
    .at('stages')
    .list('items')
    .find((one) => one.text('name') === stage.text('name') && one.text('status') === stage.text('status') && kinds(one) === kinds(stage));
  return same !== undefined && weight(stage) <= LONGER * weight(same);
}

function wholeBefore(before: ToolResult | undefined): Told[] {
  if (!before) return [];
  const data = read(before.data);
  const claim = `The application before, started ${figure(data.text('started_at'))}, had a duration of ${figure(data.number('duration_s'))} s.`;
  return [{ kind: 'observation', claim, evidence: [before.id], confidence: 'high' }];
}

function weight(stage: Reading): number {
  return stage.number('duration_s') ?? stage.at('task_s').number('max') ?? 0;
}

function whole(data: Reading): Told {
  const end =
    data.text('ended_at') === null
      ? `its log has no end (last event ${figure(data.text('last_event_at'))})`
      : `ended ${data.text('ended_at')}`;
  const longest = data.at('totals').at('longest');
  const where =
    longest.number('duration_s') === null
      ? ''
      : ` The longest stage was ${stageName(longest)} with duration ${figure(longest.number('duration_s'))} s, a share of the application of ${percent(longest.number('share_of_application'))}.`;
  return {
    kind: 'observation',
    claim: `${applicationName(data)} started ${figure(data.text('started_at'))}, ${end}, duration ${figure(data.number('duration_s'))} s: ${figure(data.number('tasks'))} tasks ended well, failed tasks ${figure(data.number('failed_tasks'))}, failed jobs ${figure(data.number('failed_jobs'))}.${where}`,
    confidence: 'high',
  };
}

function nothingOdd(data: Reading, result: ToolResult, causes: readonly Told[]): Told[] {
  if (causes.some(({ kind }) => kind === 'cause')) return [];
  return [
    {
      kind: 'ruled_out',
      claim: `Failed stages, skew, spill to disk, small inputs, garbage collection and lost executors in ${applicationName(data)}: nothing stands out in its ${figure(data.at('totals').number('stages'))} stages.`,
      confidence: result.complete ? 'high' : 'medium',
    },
  ];
}
