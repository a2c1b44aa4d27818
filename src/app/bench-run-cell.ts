import type { CellPlace, CellResult, CheckOutcome, Timing } from '../bench/cell.ts';
import { checkAnswer, type OutsideChecks, type Subject, type Verdict } from '../bench/check-answer.ts';
import { classifyFailure } from '../bench/classify-failure.ts';
import { type PriceOf, totalsOf } from '../bench/session-usage.ts';
import { simulateTime } from '../bench/simulate-time.ts';
import type { SimulatedSpeed } from '../bench/suite-spec.ts';
import { importModule } from '../config/import-module.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { ChatModel } from '../core/model.ts';
import { Scope } from '../core/scope.ts';
import { auditEvents } from '../delegation/audit.ts';
import type { CaseData } from './bench-case-data.ts';
import { askJudge } from './bench-judge.ts';
import { steadyModel, steadyTools, withoutMeasuredTimes } from './bench-steady-model.ts';
import type { RunReport } from './run-report.ts';
import { runSession } from './run-session.ts';
import type { Workspace } from './workspace.ts';

const SHOWN_CHARACTERS = 600;
const FATAL: readonly string[] = ['store_unusable', 'dependency_missing'];

export interface CellRequest {
  readonly place: CellPlace;
  readonly workspace: Workspace;
  readonly agent: AgentSpec;
  readonly modelFor: (agent: AgentSpec) => Promise<ChatModel>;
  readonly data: CaseData;
  readonly question: string;
  /** Whether the workspace's memory is used: else each run begins alike. */
  readonly withMemory: boolean;
  /** Whether a model is called: then times are measured. */
  readonly timing: Timing;
  readonly speed: SimulatedSpeed;
  readonly priceOf: PriceOf;
  readonly judge: ChatModel | undefined;
  /** Stops the cell; it then has no result. */
  readonly scope: Scope;
}

/**
 * Runs one design on one case as a session of its own, checks the answer, and adds up what its log says was used. A cell
 * never rejects for what the design does; a fault on the way is a failed cell that says so. `undefined` when stopped.
 */
export async function runCell(request: CellRequest): Promise<CellResult | undefined> {
  const { agent, question, scope, timing } = request;
  const simulated = timing === 'simulated';
  const workspace = simulated ? { ...request.workspace, tools: steadyTools(request.workspace.tools) } : request.workspace;
  const own = new Scope(scope);
  try {
    const model = await request.modelFor(agent);
    const modelFor = async (member: AgentSpec): Promise<ChatModel> => ready(await request.modelFor(member));
    const report = await runSession({
      workspace,
      agent,
      question,
      model: ready(model),
      modelFor,
      scope: own,
      work: new Scope(own),
      withoutMemory: !request.withMemory,
    });
    if (scope.stopped) return undefined;
    const events = [...(await workspace.openLog()).read(report.session)];
    const unsupported = unsupportedIn(events);
    const checks = await checkReport(request, report, unsupported);
    return scope.stopped ? undefined : resultOf(request, { report, checks, events, unsupported });
  } catch (error) {
    if (scope.stopped) return undefined;
    // Without a log no cell can be run at all.
    if (error instanceof SoloistError && FATAL.includes(error.code)) throw error;
    return crashedCell(request, error);
  } finally {
    own.close();
  }
}

function ready(model: ChatModel): ChatModel {
  return model.kind === 'model' ? model : steadyModel(model);
}

async function checkReport(request: CellRequest, report: RunReport, unsupported: readonly string[] | undefined) {
  const { data, judge, scope } = request;
  const outside: OutsideChecks = {
    callFunction: async ({ file, parameters }) => {
      const { check } = await importModule(file);
      if (typeof check !== 'function') throw new Error('the file exports no function `check`');
      return verdictFrom(await check({ answer: report.answer, findings: report.findings, report, facts: data.facts, parameters }));
    },
    askJudge: async (question, text) => (judge ? askJudge(judge, question, { text, scope }) : undefined),
  };
  const subject: Subject = {
    answer: report.answer,
    findings: report.findings.filter(({ kind }) => kind !== 'not_checked').map(({ claim }) => claim),
    ...(unsupported ? { unsupportedFigures: unsupported } : {}),
  };
  return checkAnswer(data.expect, subject, outside);
}

/** Figures of the answer that no result holds; `undefined` where they were not looked up. */
function unsupportedIn(events: readonly Event[]): readonly string[] | undefined {
  const found = events.findLast(({ agent, body }) => agent === 'main' && body.type === 'answer.grounded');
  if (found?.body.type !== 'answer.grounded') return undefined;
  return found.body.figures.filter(({ status }) => status === 'unsupported').map(({ text }) => text);
}

function verdictFrom(value: unknown): Verdict {
  if (typeof value === 'boolean') return { passed: value, detail: value ? 'passed' : 'failed' };
  const { passed, detail } = (value ?? {}) as { passed?: unknown; detail?: unknown };
  if (typeof passed !== 'boolean') throw new Error('`check` has to answer {passed, detail}');
  return { passed, detail: typeof detail === 'string' ? detail : passed ? 'passed' : 'failed' };
}

interface EndedCell {
  readonly report: RunReport;
  readonly checks: readonly CheckOutcome[];
  readonly events: readonly Event[];
  readonly unsupported: readonly string[] | undefined;
}

function resultOf({ place, timing, speed, priceOf }: CellRequest, { report, checks, events, unsupported }: EndedCell): CellResult {
  const simulated = timing === 'simulated' ? simulateTime(events.map(withoutTimes), speed) : undefined;
  const told = simulated?.events ?? events;
  const totals = totalsOf(told, timing, priceOf);
  const audits = auditEvents(told);
  const failure = classifyFailure({
    status: report.status,
    reason: report.reason,
    looped: totals.looped,
    toolCalls: totals.usage.toolCalls,
    checks,
  });
  return {
    ...place,
    session: report.session,
    status: report.status,
    model: report.model,
    timing,
    passed: failure === undefined,
    ...(failure ? { failure } : {}),
    checks,
    usage: { ...totals.usage, wallMs: simulated?.wallMs ?? report.usage.wallMs },
    ...(unsupported === undefined ? {} : { unsupportedFigures: unsupported.length }),
    delegations: audits.length,
    paid: audits.filter(({ verdict }) => verdict === 'paid').length,
    answer: report.answer.length > SHOWN_CHARACTERS ? `${report.answer.slice(0, SHOWN_CHARACTERS)}…` : report.answer,
    ...(report.reason === undefined ? {} : { reason: report.reason }),
  };
}

/** What the audit measures of a result must not depend on how many digits a time has. */
function withoutTimes(event: Event): Event {
  const { body } = event;
  return body.type === 'tool.finished' ? { ...event, body: { ...body, content: withoutMeasuredTimes(body.content) } } : event;
}

function crashedCell({ place, timing }: CellRequest, error: unknown): CellResult {
  const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  const usage = { inputTokens: 0, outputTokens: 0, modelCalls: 0, failedCalls: 0, toolCalls: 0, badCalls: 0, wallMs: 0 };
  return {
    ...place,
    session: '',
    status: 'failed',
    model: '',
    timing,
    passed: false,
    failure: 'crashed',
    checks: [],
    usage: { ...usage, peakOrchestrator: 0, peakAny: 0, children: 0 },
    delegations: 0,
    paid: 0,
    answer: '',
    reason: `the cell crashed: ${message}`,
  };
}
