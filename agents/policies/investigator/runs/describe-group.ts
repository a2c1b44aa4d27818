import { figure } from '../read-data.ts';
import { moreTasks } from './find-causes.ts';
import type { GroupFacts } from './run-facts.ts';

export function parallelText(group: GroupFacts): string {
  if (group.parallel === null) return `how many \`${group.task}\` tasks ran at once is unknown`;
  const usual = group.parallelBefore === null ? '' : `, normally ${group.parallelBefore}`;
  const span =
    group.span === null || (group.count ?? 1) < 2
      ? ''
      : ` and the whole of them took ${group.span} s (before: ${figure(group.spanBefore)} s)`;
  return `at most ${group.parallel} \`${group.task}\` ran at once${usual}${span}`;
}

export function waitText(group: GroupFacts): string {
  return `\`${group.task}\` waited ${figure(group.waiting)} s in all (before: ${figure(group.waitingBefore)} s)`;
}

export function workText(group: GroupFacts): string {
  const tasks = (group.count ?? 1) > 1 || (group.countBefore ?? 1) > 1;
  const whole = `\`${group.task}\` worked ${figure(group.working)} s (before: ${figure(group.workingBefore)} s)`;
  if (!tasks) return whole;
  const each = `median task ${figure(group.median)} s (before: ${figure(group.medianBefore)} s)`;
  return `${whole}, ${moreTasks(group) || group.count !== group.countBefore ? `${figure(group.count)} tasks instead of ${figure(group.countBefore)}, ` : ''}${each}`;
}
