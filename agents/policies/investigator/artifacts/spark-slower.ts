import type { ToolResult } from '../../../../src/core/tool-result.ts';
import type { Finding } from '../part-report.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { stageName } from './spark-facts.ts';

const LONGER = 1.2;
/** A stage that grew by less than this part of what the application lost explains nothing of it. */
const SHARE = 0.2;
/** Tasks that took no more than so many times as long did the same work. */
const ALIKE = 1.3;

/** Why an application took longer than the one before it, where nothing in it is odd by itself. */
export function sparkSlower(result: ToolResult, before: ToolResult): readonly Finding[] {
  const [now, old] = [read(result.data), read(before.data)];
  const [takes, took] = [now.number('duration_s'), old.number('duration_s')];
  if (takes === null || took === null || takes <= LONGER * took) return [];
  const length = `duration ${takes} s, in the application before duration ${took} s`;
  const claims = [...fewerExecutors(now, old, length), ...grownStages(now, old, takes - took)];
  return claims.map((claim) => ({
    kind: 'cause',
    claim,
    evidence: [result.id, before.id],
    confidence: 'high',
    refuted_by: 'an earlier run that was as long without that difference',
  }));
}

/** The same work on fewer executors. */
function fewerExecutors(now: Reading, old: Reading, length: string): string[] {
  const [has, had] = [now.at('executors').number('used'), old.at('executors').number('used')];
  const [works, worked] = [now.at('totals').number('task_s_sum'), old.at('totals').number('task_s_sum')];
  if (has === null || had === null || works === null || worked === null || has >= had || works > ALIKE * worked) return [];
  return [
    `It ran on fewer executors: used ${has}, in the application before used ${had}, while its tasks worked ${works} s in all, before ${worked} s; ${length}.`,
  ];
}

/** Stages of the same name that took most of the time that was lost, with what else changed about them. */
function grownStages(now: Reading, old: Reading, lost: number): string[] {
  const earlier = old.at('stages').list('items');
  const grown = now
    .at('stages')
    .list('items')
    .flatMap((stage) => {
      const same = earlier.find((one) => one.text('name') === stage.text('name'));
      const [takes, took] = [stage.number('duration_s'), same?.number('duration_s') ?? null];
      if (!same || takes === null || took === null || takes - took < SHARE * lost) return [];
      return [{ by: takes - took, text: stageChange(stage, same) }];
    })
    .sort((left, right) => right.by - left.by);
  if (grown.length === 0) return [];
  const changed = [...joinChange(now, old), ...settingChange(now, old)];
  const why = changed.length === 0 ? '' : `; ${changed.join('; ')}`;
  return [
    `What took longer than in the application before: ${grown
      .slice(0, 2)
      .map(({ text }) => text)
      .join('; ')}${why}.`,
  ];
}

function stageChange(stage: Reading, same: Reading): string {
  const [median, medianBefore] = [stage.at('task_s').number('median'), same.at('task_s').number('median')];
  const parts = [
    `${stageName(stage)} took a duration of ${figure(stage.number('duration_s'))} s, before ${figure(same.number('duration_s'))} s`,
    `tasks ${figure(stage.number('tasks'))}, before ${figure(same.number('tasks'))}`,
    `the median task ${figure(median)} s, before ${figure(medianBefore)} s`,
    ...bytesChange('input', stage, same),
    ...bytesChange('shuffle read', stage, same),
  ];
  return parts.join(', ');
}

/** Bytes that a stage read, where they are far more than before. */
function bytesChange(what: string, stage: Reading, same: Reading): string[] {
  const key = `${what.replace(' ', '_')}_bytes`;
  const [bytes, before] = [stage.number(key) ?? 0, same.number(key) ?? 0];
  return bytes > ALIKE * before ? [`${what} ${bytes} bytes, before ${before}`] : [];
}

function joinChange(now: Reading, old: Reading): string[] {
  const text = (data: Reading): string =>
    enumerate(
      data
        .at('joins')
        .entries()
        .map(([kind, count]) => `${kind} ${String(count.value)}`),
    );
  const [has, had] = [text(now), text(old)];
  if (has === had || has === '' || had === '') return [];
  return [`its joins are ${has}, before ${had}`];
}

function settingChange(now: Reading, old: Reading): string[] {
  const before = old.at('settings');
  const changed = now
    .at('settings')
    .entries()
    .filter(([key, value]) => before.text(key) !== null && before.text(key) !== value.value);
  return changed.length === 0
    ? []
    : [
        `settings changed: ${changed
          .slice(0, 4)
          .map(([key, value]) => `\`${key}\` from \`${before.text(key) ?? ''}\` to \`${String(value.value)}\``)
          .join(', ')}`,
      ];
}
