import { foldEvents } from '../agent/agent-state.ts';
import { isCut } from '../agent/reopen-calls.ts';
import type { EndedBefore } from '../agent/resume-agent.ts';
import { runAgent } from '../agent/run-agent.ts';
import type { AgentSpec, Limits, SubagentSpec } from '../core/agent-spec.ts';
import type { ChildConclusion, Conclusion } from '../core/conclusion.ts';
import type { Event } from '../core/event.ts';
import { Scope } from '../core/scope.ts';
import { renderTask, type Task } from '../core/task.ts';
import { estimateTokens } from '../core/usage.ts';
import type { DelegatedTask, DelegationCall } from '../delegation/check-call.ts';
import { citationsIn, judgeConclusion } from '../delegation/judge-conclusion.ts';
import { CONCLUSION_TOKENS, createReview } from '../delegation/review-answer.ts';
import { runChildren } from '../delegation/run-children.ts';
import type { Share } from '../delegation/share-budget.ts';
import { dispatcherFor, joinTeam, type Member } from './agent-team.ts';
import { summariseWith } from './critic.ts';
import { createGrounder, markUnsupported, reviewWith } from './ground-review.ts';
import type { ChildPast } from './past-session.ts';
import { createReflection } from './reflect-answer.ts';
import { countsOf, limitsBeyond, usageSince } from './since-before.ts';
import { systemPrompt } from './system-prompt.ts';

export interface Delegation {
  readonly spec: SubagentSpec;
  readonly child: AgentSpec;
  readonly call: DelegationCall;
  readonly resultId: string;
  readonly scope: Scope;
}

interface PlannedChild {
  readonly id: string;
  /** The agent under which its events stand. */
  readonly path: string;
  readonly task: Task;
  readonly continues: boolean;
}

/** Runs the tasks of one call, each by a child of its own, and answers their conclusions in task order. */
export async function delegate(caller: Member, delegation: Delegation): Promise<readonly ChildConclusion[]> {
  const { spec, child, call, resultId } = delegation;
  const begun = caller.recorder.state.delegations.get(resultId);
  const children = begun ? begun.map((one) => ({ ...one, continues: one.path !== one.id })) : planChildren(caller, call.tasks);
  const concluded = begun ? caller.recorder.state.conclusions : NONE;
  caller.budget.announce(children.filter(({ id }) => !concluded.has(id)).length);
  if (!begun) {
    caller.recorder.record({
      type: 'delegation.started',
      resultId,
      agent: child.name,
      buys: spec.justification.buys,
      why: call.why,
      because: call.because,
      concurrency: spec.concurrency,
      children: children.map(({ id, path, task }) => ({ id, path, task })),
    });
    // On disk before any event of its children: all commits of a log keep their order.
    caller.recorder.flushSoon();
  }
  const work = children.map((planned) => ({
    id: planned.id,
    path: planned.path,
    agent: child.name,
    goal: planned.task.goal,
    model: child.model,
    // A child that had concluded before its caller was killed does not run again.
    run: async () => concluded.get(planned.id) ?? runChild(caller, planned, delegation),
  }));
  return runChildren(work, spec.concurrency);
}

const NONE: ReadonlyMap<string, ChildConclusion> = new Map();

function planChildren(caller: Member, tasks: readonly DelegatedTask[]): PlannedChild[] {
  const prefix = caller.path === 'main' ? '' : `${caller.path}.`;
  const first = caller.recorder.state.childrenStarted + 1;
  return tasks.map(({ goal, inputs, expect, continue: earlier }, index) => {
    const id = `${prefix}c${first + index}`;
    const path = (earlier === undefined ? undefined : caller.recorder.state.conclusions.get(earlier)?.path) ?? id;
    return { id, path, task: { goal, ...(inputs ? { inputs } : {}), ...(expect ? { expect } : {}) }, continues: path !== id };
  });
}

/** One child, from its share of the budget to its conclusion in the caller's log. */
async function runChild(caller: Member, planned: PlannedChild, delegation: Delegation): Promise<ChildConclusion> {
  const { child } = delegation;
  const share = caller.budget.take();
  const limits = limitsWithin(child.limits, share, (caller.deadline - performance.now()) / 1000);
  try {
    const { conclusion, record } = await concludeChild(caller, planned, { delegation, limits });
    const judged = judgeConclusion(withEvidence(conclusion, record.resultIds), record);
    return keep(caller, { ...judged, id: planned.id, path: planned.path, agent: child.name, goal: planned.task.goal });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
    return keep(caller, { ...unborn(planned, child, `the child crashed: ${message}`), status: 'failed' });
  } finally {
    caller.budget.release(share);
  }
}

interface ChildRun {
  readonly delegation: Delegation;
  readonly limits: Limits;
}

async function concludeChild(caller: Member, planned: PlannedChild, { delegation, limits }: ChildRun) {
  const { team } = caller;
  const spec = { ...delegation.child, limits };
  const { before, since } = pastOf(caller, planned);
  const member = joinTeam(team, {
    spec,
    path: planned.path,
    callers: caller.permissions,
    depthLeft: Math.min(caller.depthLeft - 1, spec.limits.depth),
    past: [...before, ...since],
  });
  const { recorder } = member;
  const prior = foldEvents(before);
  if (since.length === 0 && (limits.turns < 1 || limits.tokens < 1 || limits.seconds <= 0)) {
    return {
      conclusion: { ...unborn(planned, spec, 'nothing is left of the budget'), status: 'budget' as const },
      record: recordOf(member, []),
    };
  }
  if (planned.continues && !since.some(asksFurther))
    recorder.record({ type: 'user.said', content: renderTask(planned.task), why: 'follow_up' });
  const scope = new Scope(delegation.scope);
  const sources = team.workspace.catalog.all;
  const model = await team.modelFor(spec, planned.path);
  const mode = spec.grounding ?? 'report';
  const grounder = createGrounder(member, { mode, task: planned.task, canMend: model.kind !== 'rules' });
  const review = createReview(spec.returns, CONCLUSION_TOKENS, recorder.state.sentBack);
  const dispatcher = dispatcherFor(member);
  const reflect = createReflection(member, { task: planned.task, tools: dispatcher.tools, model, scope });
  const conclusion = await runAgent({
    spec: { name: spec.name, limits: limitsBeyond(limits, prior) },
    task: planned.task,
    system: systemPrompt(spec, sources, team.workspace.project.skills),
    model,
    recorder,
    dispatcher,
    sources,
    scope,
    work: new Scope(scope),
    summarise: summariseWith(team.critic),
    review: reviewWith(async (text, sentBack) => {
      const verdict = review(text, sentBack);
      return verdict.verdict === 'accept' ? reflect(text) : verdict;
    }, grounder),
    ...(since.length > 0 ? { resumedAfter: endedBefore(since) } : {}),
  });
  scope.close();
  const grounding = grounder.finish(conclusion.text);
  const text = mode === 'strict' && spec.returns === undefined ? markUnsupported(conclusion.text, grounding) : conclusion.text;
  // A number that stands somewhere, though not clearly for this, does not make a conclusion worthless.
  const invented = grounding.figures
    .filter(({ status, reason }) => status === 'unsupported' && reason === undefined)
    .map((figure) => figure.text);
  return {
    conclusion: {
      ...conclusion,
      text,
      findings: grounder.findings(conclusion.findings),
      usage: usageSince(conclusion.usage, countsOf(prior)),
    },
    record: recordOf(member, invented),
  };
}

function recordOf(member: Member, invented: readonly string[]) {
  const { state } = member.recorder;
  const evidence = [...state.conclusions.values()].flatMap((conclusion) => [conclusion.id, ...conclusion.evidence]);
  return { resultIds: [...state.resultIds, ...evidence], invented, hasTools: member.spec.tools.length > 0 };
}

/** What it cites; a text that cites nothing rests on all that its tools returned. */
function withEvidence(conclusion: Conclusion, resultIds: readonly string[]): Conclusion {
  const cited = [...new Set([...conclusion.evidence, ...citationsIn(conclusion.text)])];
  return { ...conclusion, evidence: cited.length > 0 ? cited : resultIds.slice(0, 20) };
}

/** Into the caller's log, its text within the cap: what is still too long after the turn to shorten comes up as a reference. */
function keep(caller: Member, conclusion: ChildConclusion): ChildConclusion {
  const long = estimateTokens(conclusion.text) > CONCLUSION_TOKENS;
  const fullText = long ? caller.team.log.putBlob(JSON.stringify({ text: conclusion.text })) : undefined;
  const text = long
    ? `The conclusion has ${conclusion.text.length} characters, too many to come up; read it by its reference (read_blob, path "text").`
    : conclusion.text;
  const kept = { ...conclusion, text, findings: conclusion.findings, ...(fullText ? { fullText } : {}) };
  caller.recorder.record({ type: 'child.concluded', conclusion: kept });
  caller.recorder.flushSoon();
  return kept;
}

function limitsWithin(own: Limits, share: Share, secondsLeft: number): Limits {
  return {
    ...own,
    turns: Math.min(own.turns, share.turns),
    tokens: Math.min(own.tokens, share.tokens),
    toolCalls: Math.min(own.toolCalls, share.toolCalls),
    seconds: Math.min(own.seconds, secondsLeft),
  };
}

/** What stands under the child's path: before this delegation, where it goes on from an earlier conclusion, and since, where its process was killed. */
function pastOf(caller: Member, { id, path, continues }: PlannedChild): ChildPast {
  const { log, session, past } = caller.team;
  if (past?.began(id)) return past.childPast(id, path);
  if (!continues) return { before: [], since: [] };
  return { before: [...log.read(session)].filter((event) => event.agent === path), since: [] };
}

/** A child that was stopped goes on with its caller; what else it concluded stands. */
function endedBefore(since: readonly Event[]): EndedBefore {
  const last = since.findLast(({ body }) => body.type === 'agent.concluded' || body.type === 'agent.resumed')?.body;
  return last?.type === 'agent.concluded' && isCut(last.conclusion) ? last.conclusion.status : 'killed';
}

function asksFurther({ body }: Event): boolean {
  return body.type === 'user.said' && body.why === 'follow_up';
}

function unborn(planned: PlannedChild, child: AgentSpec, reason: string): ChildConclusion {
  const usage = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, peakContextTokens: 0, wallMs: 0 };
  const { id, path, task } = planned;
  return {
    id,
    path,
    agent: child.name,
    goal: task.goal,
    model: child.model,
    status: 'failed',
    text: '',
    evidence: [],
    findings: [],
    usage,
    reason,
  };
}
