import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';
import { type FoundArtifacts, holding } from '../investigator/artifacts/found-artifacts.ts';
import { applicationName, lostExecutors, lostText, oddities, percent, stageName } from '../investigator/artifacts/spark-facts.ts';
import { callIfOffered, mergeReports, type PartReport, usable } from '../investigator/part-report.ts';
import { capital, figure, type Reading, read } from '../investigator/read-data.ts';
import { say } from './say.ts';

const MOST_STAGES = 100;

/** Which stage of a Spark application took longest and why, what was spilled, whether its data is skewed. */
export async function answerSparkStages(
  play: Play,
  ask: 'stage' | 'spill' | 'skew',
  found: FoundArtifacts,
): Promise<PartReport | undefined> {
  const sources = holding(found, 'spark_event_log').slice(0, 3);
  const results = await Promise.all(sources.map(({ source }) => callIfOffered(play, 'spark_stages', { source, limit: MOST_STAGES })));
  const told = results.filter(usable).map((result) => {
    const data = read(result.data);
    const answer = ask === 'stage' ? longest(data, result) : ask === 'spill' ? spill(data, result) : skew(data, result);
    return mergeReports([answer, others(data, result)]);
  });
  return told.length === 0 ? undefined : mergeReports(told);
}

function longest(data: Reading, result: ToolResult): PartReport {
  const first = data.at('totals').at('longest');
  if (first.number('duration_s') === null)
    return say(
      `Which stage of ${applicationName(data)} took longest is unknown: no stage of its log has a beginning and an end`,
      result.id,
    );
  const stage = listed(data, first);
  const shares = `a share of the application of ${percent(first.number('share_of_application'))} and a share of the task time of ${percent(first.number('share_of_task_time'))}`;
  const head = say(
    `${capital(stageName(first))} took longest in ${applicationName(data)}: duration ${figure(first.number('duration_s'))} s, ${shares}`,
    result.id,
  );
  if (!stage) return head;
  const times = stage.at('task_s');
  const lasted = `tasks ${figure(stage.number('tasks'))}, the median task ${figure(times.number('median'))} s, the slowest (max) ${figure(times.number('max'))} s`;
  const why = oddities(stage);
  const failed = stage.number('failed_tasks') ?? 0;
  const spilled = `spill to disk ${figure(stage.number('spill_disk_bytes'))} bytes`;
  const reason =
    why.length > 0
      ? say(`In it: ${why.join('; ')} (${lasted}; ${spilled})`, result.id)
      : say(`Nothing in it is odd: ${lasted}, ${spilled}, failed tasks ${failed}; it took its time by its amount of work`, result.id);
  return mergeReports([head, reason]);
}

function spill(data: Reading, result: ToolResult): PartReport {
  const totals = data.at('totals');
  const disk = totals.number('spill_disk_bytes') ?? 0;
  const memory = totals.number('spill_memory_bytes') ?? 0;
  const stages = figure(totals.number('stages'));
  if (disk === 0 && memory === 0)
    return say(`No spill: 0 bytes to disk and 0 bytes of memory in the ${stages} stages of ${applicationName(data)}`, result.id);
  const head = say(
    `${applicationName(data)} spilled: spill to disk ${disk} bytes${sized(disk)}, spill of memory ${memory} bytes${sized(memory)}, in ${figure(totals.number('stages_with_spill'))} of its ${stages} stages`,
    result.id,
  );
  const most = data
    .at('stages')
    .list('items')
    .filter((stage) => (stage.number('spill_disk_bytes') ?? 0) > 0)
    .sort((left, right) => (right.number('spill_disk_bytes') ?? 0) - (left.number('spill_disk_bytes') ?? 0))
    .slice(0, 3)
    .map((stage) => say(`In ${stageName(stage)}: ${oddities(stage).join('; ')}`, result.id));
  return mergeReports([head, ...most]);
}

function skew(data: Reading, result: ToolResult): PartReport {
  const totals = data.at('totals');
  const skewed = data
    .at('stages')
    .list('items')
    .filter((stage) => stage.texts('findings').some((text) => text.startsWith('skew')));
  const [first, ...more] = skewed;
  const limit = data.at('limits').text('skew') ?? '';
  const uneven = totals.at('most_uneven');
  if (!first) {
    const nearest =
      uneven.number('times') === null
        ? 'no stage has the 4 tasks that it takes to tell'
        : `the most uneven is ${stageName(uneven)}, slowest task max ${figure(uneven.number('max_s'))} s against the median ${figure(uneven.number('median_s'))} s (${figure(uneven.number('times'))} times)`;
    return say(
      `No skew in the ${figure(totals.number('stages'))} stages of ${applicationName(data)}: ${nearest}${limit === '' ? '' : `; skew is a ${limit}`}`,
      result.id,
    );
  }
  const told = (stage: Reading): string =>
    stage
      .texts('findings')
      .filter((text) => text.startsWith('skew'))
      .join('; ')
      .replace(/^skew: /, '');
  return mergeReports([
    say(`Yes, ${stageName(first)} of ${applicationName(data)} is skewed: ${told(first)}`, result.id),
    ...more.slice(0, 2).map((stage) => say(`So is ${stageName(stage)}: ${told(stage)}`, result.id)),
  ]);
}

/** Lost executors and other applications beside the one that was read. */
function others(data: Reading, result: ToolResult): PartReport {
  const lost = lostExecutors(data);
  const apps = data.list('other_apps').length;
  return mergeReports([
    ...(lost.length > 0 ? [say(`Executors were lost: ${lostText(lost)}`, result.id)] : []),
    ...(apps > 0
      ? [say(`The source holds other applications too; this is the newest, started ${figure(data.text('started_at'))}`, result.id)]
      : []),
  ]);
}

function listed(data: Reading, wanted: Reading): Reading | undefined {
  return data
    .at('stages')
    .list('items')
    .find((one) => one.number('stage') === wanted.number('stage') && one.number('attempt') === wanted.number('attempt'));
}

/** ` (1.5 GiB)` behind a number of bytes that is hard to read. */
function sized(bytes: number): string {
  const power = Math.min(4, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  if (power === 0) return '';
  return ` (${Math.round((bytes / 1024 ** power) * 10) / 10} ${['', 'KiB', 'MiB', 'GiB', 'TiB'][power] ?? ''})`;
}
