import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { type FoundArtifacts, holding } from './found-artifacts.ts';
import { callIfOffered, cite, type Finding, mergeReports, NOTHING, type PartReport, usable } from './part-report.ts';
import { enumerate, figure, type Reading, read } from './read-data.ts';
import type { Question } from './read-question.ts';

/** Spark applications by their event logs: why tasks died, which stage took the time, whether its data is skewed. */
export async function examineSpark(play: Play, _question: Question, found: FoundArtifacts): Promise<PartReport> {
  const sources = holding(found, 'spark_event_log').slice(0, 3);
  const reports = await Promise.all(
    sources.map(async ({ source }) => {
      const result = await callIfOffered(play, 'spark_stages', { source });
      return usable(result) ? tell(result) : NOTHING;
    }),
  );
  return mergeReports(reports);
}

function tell(result: ToolResult): PartReport {
  const data = read(result.data);
  const stages = data.at('stages').list('items');
  const name = `Spark application \`${data.text('app_name') ?? data.text('app_id') ?? data.text('path') ?? ''}\``;
  const evidence = [result.id];
  const findings: Finding[] = [];
  const answer: string[] = [];
  const say = (finding: Omit<Finding, 'evidence'>): void => {
    findings.push({ ...finding, evidence });
    answer.push(`${finding.claim.replace(/\.$/, '')}${cite(result)}.`);
  };
  const end =
    data.text('ended_at') === null
      ? `its log has no end (last event ${figure(data.text('last_event_at'))})`
      : `ended ${data.text('ended_at')}`;
  const head = `${name} started ${figure(data.text('started_at'))}, ${end}, ${figure(data.number('duration_s'))} s: ${figure(data.number('tasks'))} tasks ended well, ${figure(data.number('failed_tasks'))} failed, ${figure(data.number('failed_jobs'))} jobs failed`;
  const lost = data.at('executors').at('lost').list('items');
  const failures = data.at('failures').list('items');
  const broken = stages.filter((one) => one.text('status') === 'failed');
  if (broken.length > 0)
    say({ kind: 'cause', claim: `${capital(name)} failed in ${enumerate(broken.map(stageText), 3)}.`, confidence: 'high' });
  if (failures.length > 0)
    say({
      kind: broken.length > 0 ? 'cause' : 'observation',
      claim: `Tasks failed with ${enumerate(
        failures.map(
          (one) =>
            `${one.text('reason') ?? ''} (${figure(one.number('count'))} times${one.text('example') === '' ? '' : `: ${one.text('example')}`})`,
        ),
        4,
      )}.`,
      confidence: 'high',
    });
  const odd = lost.filter((one) => /kill|memory|oom|exit|137|143|lost|heartbeat|fail/i.test(one.text('reason') ?? ''));
  if (odd.length > 0)
    say({
      kind: 'cause',
      claim: `Executors were lost: ${enumerate(
        odd.map((one) => `${one.text('executor') ?? ''} at ${figure(one.text('at'))} (${one.text('reason') ?? ''})`),
        4,
      )}.`,
      confidence: 'high',
    });
  for (const stage of stages
    .filter((one) => one.texts('findings').some((text) => /^(skew|spill|small|garbage)|index \d+/.test(text)))
    .slice(0, 3))
    say({
      kind: 'cause',
      claim: `In ${stageText(stage)}: ${stage.texts('findings').join('; ')}.`,
      confidence: 'high',
      refuted_by: 'the same stage with evenly spread data taking as long',
    });
  const weightiest = [...stages].sort((left, right) => (right.number('task_s_sum') ?? 0) - (left.number('task_s_sum') ?? 0))[0];
  say({ kind: 'observation', claim: `${head}.${weightiest ? ` Most time went into ${stageText(weightiest)}.` : ''}`, confidence: 'high' });
  if (!findings.some(({ kind }) => kind === 'cause'))
    findings.push({
      kind: 'ruled_out',
      claim: `Failed tasks, skew, spill and lost executors in ${name}: none was found in the stages read.`,
      evidence,
      confidence: result.complete ? 'high' : 'medium',
    });
  return { answer, detail: [], findings };
}

function stageText(stage: Reading): string {
  const times = stage.at('task_s');
  const spread =
    times.number('max') === null ? '' : `, task_s median ${figure(times.number('median'))} s, task_s max ${figure(times.number('max'))} s`;
  const failure = stage.text('failure') === null ? '' : `: ${stage.text('failure')}`;
  return `stage ${figure(stage.number('stage'))} "${stage.text('name') ?? ''}" (${figure(stage.number('tasks'))} tasks, task_s_sum ${figure(stage.number('task_s_sum'))} s${spread})${failure}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
