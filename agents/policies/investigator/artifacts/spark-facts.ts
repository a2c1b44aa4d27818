import { enumerate, figure, type Reading } from '../read-data.ts';

/** `stage 5 "collect at a.py:62"`, with its attempt where it is not the first. */
export function stageName(stage: Reading): string {
  const attempt = stage.number('attempt') ?? 0;
  return `stage ${figure(stage.number('stage'))}${attempt > 0 ? ` attempt ${attempt}` : ''} "${stage.text('name') ?? ''}"`;
}

/** A stage with what its tasks took: `stage 3 "join" (31 tasks, the median task 20 s, the slowest (max) 41 s)`. */
export function stageText(stage: Reading): string {
  const times = stage.at('task_s');
  const ended = stage.number('tasks') ?? 0;
  const parts =
    ended === 0
      ? [`none of ${figure(stage.number('planned_tasks'))} planned tasks ended well, failed tasks ${figure(stage.number('failed_tasks'))}`]
      : [
          `${ended} tasks`,
          ...(times.number('max') === null
            ? []
            : [`the median task ${figure(times.number('median'))} s`, `the slowest (max) ${figure(times.number('max'))} s`]),
        ];
  return `${stageName(stage)} (${parts.join(', ')})`;
}

/** Why a stage failed: only the name of it where the message says no more than that it was aborted. */
export function failureText(stage: Reading): string {
  return stage.text('failure')?.replace(/:\s*$/, '') ?? 'no reason given';
}

/** What is odd in a stage beyond failed tasks. */
export function oddities(stage: Reading): readonly string[] {
  return stage.texts('findings').filter((text) => /^(skew|spill|small inputs|garbage)/.test(text));
}

export function isOdd(stage: Reading): boolean {
  return stage.texts('findings').some((text) => /^(skew|spill|small|garbage)|index \d+/.test(text));
}

export function applicationName(data: Reading): string {
  return `Spark application \`${data.text('app_name') ?? data.text('app_id') ?? data.text('path') ?? ''}\``;
}

/** Executors that did not end by themselves when the application did. */
export function lostExecutors(data: Reading): readonly Reading[] {
  const lost = data.at('executors').at('lost').list('items');
  return lost.filter((one) => /kill|memory|oom|exit|137|143|lost|heartbeat|fail|preempt|decommission/i.test(one.text('reason') ?? ''));
}

export function lostText(lost: readonly Reading[]): string {
  const told = lost.map((one) => `executor ${one.text('executor') ?? ''} at ${figure(one.text('at'))} (${one.text('reason') ?? ''})`);
  return enumerate(told.slice(0, 4), 4) + (lost.length > 4 ? ' and others' : '');
}

/** A share of 1 as per cent, with one digit at most: `92.7 %`. */
export function percent(share: number | null): string {
  return share === null ? 'an unknown share' : `${Math.round(share * 1000) / 10} %`;
}
