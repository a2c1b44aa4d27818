import { type Finding, mergeReports, type PartReport } from '../part-report.ts';
import { capital, clock, enumerate, figure, lasting } from '../read-data.ts';
import { parallelText, waitText, workText } from './describe-group.ts';
import { type Cause, findCauses, parallelDropped, poolHadRoom, tookLonger } from './find-causes.ts';
import { observeRun } from './observe-run.ts';
import { idleText, notStarted, queuedText, slowHostsText } from './odd-run.ts';
import { type RunFacts, retriesText, rose } from './run-facts.ts';
import type { Holder, SlotFacts } from './slot-facts.ts';

export interface RunEvidence {
  readonly facts: RunFacts;
  readonly slots: SlotFacts;
  /** Who held slots while a usual run ran, where one was looked at. */
  readonly usual?: SlotFacts;
  /** How the run was chosen. */
  readonly because: string;
  /** Ids of `get_run` of the same run. */
  readonly detail: string;
}

export interface RunReport extends PartReport {
  /** The pool whose slots others held, where that is the cause. */
  readonly pool?: string;
  /** The tasks whose own work took longer. */
  readonly slower?: readonly string[];
  /** Tasks that it waited for since they were tried again. */
  readonly retried?: readonly string[];
  /** Whether it waited, and neither its tasks nor its pools say for what. */
  readonly unexplained?: boolean;
}

/** The answer to why a run took so long, from the figures of the tools alone. */
export function explainRun(evidence: RunEvidence): RunReport {
  const { facts, slots, usual } = evidence;
  const length = lengthSentence(facts);
  const odd = notStarted(facts);
  if (odd && (facts.ratio === null || !tookLonger(facts) || findCauses(facts, slots, usual).every(({ kind }) => kind === 'idle')))
    return { ...mergeReports([odd, notLonger(evidence, length)]), slower: [] };
  if (facts.baselineRuns === 0 || facts.ratio === null) return withoutBaseline(evidence, length);
  if (!tookLonger(facts)) return notLonger(evidence, length);
  const causes = findCauses(facts, slots, usual);
  const told = causes.map((cause) => causeClaim(cause, evidence));
  const [first] = told;
  const answer = first
    ? [
        ...told.map((one) => `${one.claim.replace(/\.$/, '')}${marks(one.evidence)}.`),
        `${length}${marks([facts.result])}.`,
        ...sumsSentence(facts),
        ...retrySentence(facts),
      ]
    : [
        `${length}${marks([facts.result])}.`,
        ...sumsSentence(facts),
        `What made it longer was not found in its tasks or in the pools${marks([facts.result, slots.result])}.`,
      ];
  const taken = causes.find((cause) => cause.kind === 'pool_taken');
  const slower = causes.flatMap((cause) =>
    cause.kind === 'work_grew' ? cause.groups.map(({ task }) => task) : cause.kind === 'straggler' ? [cause.group.task] : [],
  );
  return {
    ...(taken ? { pool: taken.pool } : {}),
    slower,
    retried: causes.flatMap((cause) => (cause.kind === 'retry_wait' ? [cause.group.task] : [])),
    unexplained: causes.some((cause) => cause.kind === 'unexplained_wait'),
    answer,
    detail: [`Run \`${facts.runId}\` of \`${facts.pipeline}\` was looked at: ${evidence.because}.`],
    findings: [...told, lengthFinding(facts, length), ...observeRun(evidence, causes)],
  };
}

function marks(ids: readonly string[]): string {
  const known = [...new Set(ids.filter((id) => id !== ''))];
  return known.length === 0 ? '' : ` ${known.map((id) => `[${id}]`).join(' ')}`;
}

function lengthSentence(facts: RunFacts): string {
  const { duration, baselineMedian, baselineRuns, ratio } = facts;
  const name = `The run \`${facts.runId}\` of \`${facts.pipeline}\``;
  if (duration === null) return `${name} has no known duration (state ${facts.state}, started ${clock(facts.startedAt)})`;
  const took = `${name} took ${lasting(duration)}`;
  if (baselineMedian === null) return took;
  return `${took}; the median of ${baselineRuns} like runs is ${lasting(baselineMedian)}, so it took ${figure(ratio)} times as long; their range is ${figure(facts.baselineMin)} to ${figure(facts.baselineMax)} s`;
}

function sumsSentence(facts: RunFacts): string[] {
  const { working, waiting, result } = facts;
  const waited = `its tasks waited ${figure(waiting.seconds)} s in all (median before: ${figure(waiting.before)} s)`;
  const worked = `worked ${figure(working.seconds)} s (median before: ${figure(working.before)} s)`;
  if (working.before === null && waiting.before === null)
    return [`No earlier run has task detail to compare waiting and working with [${result}].`];
  if (waiting.seconds === null && waiting.before === null)
    return [`Its tasks ${worked}: ${verdictOn('working', working)}; how long they waited the source does not say [${result}].`];
  const verdict = [verdictOn('waiting', waiting), verdictOn('working', working)].join(', ');
  return [`Taken apart, ${waited} and ${worked}: ${verdict} [${result}].`];
}

function retrySentence(facts: RunFacts): string[] {
  return facts.retried.length === 0 ? [] : [`Beside that, ${retriesText(facts)} [${facts.result}].`];
}

/** What went well only when it was tried again. */
function triesText(facts: RunFacts): string {
  return facts.retried.length === 0 ? '' : `, though ${retriesText(facts)}`;
}

function verdictOn(what: string, change: RunFacts['working']): string {
  if (change.changed === null) return `${what} time cannot be compared`;
  if (!change.changed) return `${what} time did not change`;
  return `${what} time ${rose(change) ? 'grew' : 'fell'}`;
}

function causeClaim(cause: Cause, { facts, slots, usual, detail }: RunEvidence): Finding {
  const base = { kind: 'cause', confidence: 'high' } as const;
  const here = [facts.result];
  if (cause.kind === 'pool_taken') {
    const { group, pool, use, holders } = cause;
    const room = use?.left === null || use?.left === undefined ? '' : `, which left ${use.left} for this run`;
    const claim = `${holdersText(holders, pool, use?.slots ?? null)}${room}; ${parallelText(group)}, and ${waitText(group)}.`;
    return {
      ...base,
      claim: capital(claim),
      evidence: [slots.result, ...here, ...(usual?.looked ? [usual.result] : [])],
      confidence: slots.complete ? 'high' : 'medium',
      refuted_by: `a run that had all slots of pool ${pool} to itself and took as long`,
    };
  }
  if (cause.kind === 'pool_small') {
    const { group, use } = cause;
    const claim = `Pool \`${use.pool}\` has slots ${figure(use.slots)}, fewer than \`${group.task}\` normally takes of it; ${parallelText(group)}, and ${waitText(group)}.`;
    return { ...base, claim, evidence: [slots.result, ...here], refuted_by: 'the size of the pool before' };
  }
  if (cause.kind === 'slow_host')
    return { ...base, claim: slowHostsText(cause.hosts), evidence: here, refuted_by: 'other work on the same machine at its usual speed' };
  if (cause.kind === 'idle')
    return { ...base, confidence: 'medium', claim: idleText(cause, facts), evidence: here, refuted_by: 'logs of its earlier tries' };
  if (cause.kind === 'straggler') {
    const { group, one } = cause;
    const index = one.mapIndex === null || one.mapIndex < 0 ? '' : ` index ${one.mapIndex}`;
    return {
      ...base,
      claim: `One task of \`${group.task}\` (count ${figure(group.count)}) took far longer than the others: \`${group.task}\`${index} worked ${one.seconds} s; the median task ${figure(group.median)} s (before: ${figure(group.medianBefore)} s).`,
      evidence: [...here, detail],
      refuted_by: 'earlier runs in which the same index took as long',
    };
  }
  if (cause.kind === 'work_grew') {
    const said = enumerate(cause.groups.map(workText), 4);
    return {
      ...base,
      claim: `${cause.more ? 'There was more to do' : 'The work itself took longer'}: ${said}.`,
      evidence: here,
      refuted_by: 'the same tasks at their usual length in a run that is as long',
    };
  }
  if (cause.kind === 'new_task') {
    const said = enumerate(cause.tasks.map((group) => `\`${group.task}\` worked ${figure(group.working)} s`));
    return { ...base, confidence: 'medium', claim: `Tasks that earlier runs did not have took part: ${said}.`, evidence: here };
  }
  if (cause.kind === 'retry_wait') {
    const many = facts.retries.get(cause.group.task) ?? 0;
    const claim = `\`${cause.group.task}\` needed more than one try${many > 1 ? ` (retried ${many})` : ''}; its earlier tries and the delays between them count as waiting: ${waitText(cause.group)}.`;
    return { ...base, confidence: 'medium', claim, evidence: many > 1 ? [...here, detail] : here };
  }
  return unexplained(cause, { facts, slots });
}

function unexplained(
  cause: Extract<Cause, { kind: 'unexplained_wait' }>,
  { facts, slots }: { facts: RunFacts; slots: SlotFacts },
): Finding {
  const { group, pool, use } = cause;
  const queued = queuedText(facts);
  if (queued !== undefined)
    return {
      kind: 'cause',
      claim: `${queued}; ${waitText(group)}.`,
      evidence: [facts.result],
      confidence: 'high',
      refuted_by: 'workers that were free at that time',
    };
  const size = use?.slots === null || use?.slots === undefined ? '' : ` (${use.slots} slots)`;
  const held = use?.othersMax ?? 0;
  const others =
    pool === undefined
      ? 'no pool is named for it'
      : `of pool \`${pool}\`${size} other runs held ${held === 0 ? 'no slots' : `at most ${held} slots, no more than usual`} as far as the source knows`;
  if (parallelDropped(group) && poolHadRoom(group, use))
    return {
      kind: 'cause',
      claim: `Fewer tasks ran at once than normally though their pool had room for them: ${parallelText(group)}; ${waitText(group)}; ${others}; so a limit of tasks at once, of the task, the pipeline or the workers, held them back.`,
      evidence: [facts.result, slots.result],
      confidence: 'medium',
      refuted_by: 'the same limits in the runs before',
    };
  return {
    kind: 'observation',
    claim: `The time was lost waiting, and who caused the wait is unknown: ${waitText(group)}; ${parallelText(group)}; ${others}.`,
    evidence: [facts.result, slots.result],
    confidence: 'medium',
    refuted_by: 'a source that shows what held the slots or the workers at that time',
  };
}

function holdersText(holders: readonly Holder[], pool: string, size: number | null): string {
  const slots = (one: Holder): string => `${one.maxSlots}${size === null ? '' : ` of ${size}`} slots of pool \`${pool}\``;
  const until = (one: Holder): string =>
    `from ${clock(one.from)} until ${one.until === null ? 'after the end of what is known' : clock(one.until)}`;
  return enumerate(
    holders.map((one) => `\`${one.pipeline}\` (run \`${one.runId}\`) held ${slots(one)} ${until(one)}`),
    3,
  );
}

function lengthFinding(facts: RunFacts, length: string): Finding {
  const excluded = facts.excluded.map(([reason, count]) => `${count} with ${reason}`);
  const left = excluded.length === 0 ? '' : `; left out of the baseline: ${enumerate(excluded)}`;
  return { kind: 'observation', claim: `${length}${left}.`, evidence: [facts.result], confidence: 'high' };
}

function withoutBaseline(evidence: RunEvidence, length: string): PartReport {
  const { facts } = evidence;
  const claim = `${length}; there is no like run to compare it with, so whether that is long is unknown.`;
  return {
    answer: [`${claim} [${facts.result}]`],
    detail: [`The run was chosen because ${evidence.because}.`],
    findings: [{ kind: 'observation', claim, evidence: [facts.result], confidence: 'medium' }, ...observeRun(evidence, [])],
  };
}

function notLonger(evidence: RunEvidence, length: string): PartReport {
  const { facts } = evidence;
  return {
    answer: [
      `${length}${tookLonger(facts) ? '' : ': it did not take longer than usual'}${triesText(facts)} [${facts.result}].`,
      ...sumsSentence(facts),
    ],
    detail: [`The run was chosen because ${evidence.because}.`],
    findings: [lengthFinding(facts, length), ...observeRun(evidence, [])],
  };
}
