import type { Event, EventBody } from '../core/event.ts';
import { addEmbeddings, embeddingUsageOf, modelUsageOf } from '../core/spending.ts';
import { clip, dataOf } from './clip-text.ts';
import { remarkOf } from './describe-event.ts';
import type { AgentTrace, CallTrace, Remark, ReplyTrace, SessionTrace, StepTrace } from './session-trace.ts';

type Growing<Shape> = { -readonly [Key in keyof Shape]: Shape[Key] extends readonly (infer Item)[] ? Item[] : Shape[Key] };
interface GrowingCall extends Omit<Growing<CallTrace>, 'children'> {
  children: GrowingAgent[];
}
interface GrowingStep extends Omit<Growing<StepTrace>, 'calls'> {
  calls: GrowingCall[];
}
interface GrowingAgent extends Omit<Growing<AgentTrace>, 'steps'> {
  steps: GrowingStep[];
}

interface Books {
  readonly head: Growing<Omit<SessionTrace, 'main'>>;
  readonly main: GrowingAgent;
  /** The agent that events under a path belong to by now. */
  readonly byPath: Map<string, GrowingAgent>;
  readonly calls: Map<string, GrowingCall>;
  /** The most characters of a text or a result. */
  readonly most: number;
}

/**
 * One session as a tree, from its events alone, in one pass.
 *
 * @param most the most characters of each text and result; `Infinity` for all
 */
export function readSession(session: string, events: Iterable<Event>, most = 160): SessionTrace {
  const main = newAgent('main', 'main');
  const head: Books['head'] = {
    session,
    agent: '',
    question: '',
    model: '',
    version: '',
    status: 'open',
    openedAt: 0,
    lastEventAt: 0,
    events: 0,
  };
  const books: Books = { head, main, byPath: new Map([['main', main]]), calls: new Map(), most };
  for (const event of events) takeEvent(books, event);
  return { ...head, main };
}

function newAgent(id: string, path: string): GrowingAgent {
  return {
    ...{ id, path, agent: '', model: '', task: undefined, startedAt: undefined, status: 'unfinished', text: '', evidence: [] },
    ...{ usage: undefined, steps: [] },
  };
}

function takeEvent(books: Books, event: Event): void {
  const { head } = books;
  head.events++;
  head.openedAt ||= event.at;
  head.lastEventAt = Math.max(head.lastEventAt, event.at);
  const agent = books.byPath.get(event.agent) ?? adopt(books, event.agent);
  agent.startedAt ??= event.at;
  const { body } = event;
  takeSpending(head, body);
  switch (body.type) {
    case 'session.opened': {
      const { agent: name, question, model, version } = body;
      Object.assign(head, { agent: name, question, model, version, status: 'open' });
      return;
    }
    case 'session.closed':
      head.status = body.status;
      return;
    case 'agent.started':
      Object.assign(agent, { agent: body.agent, model: body.model, task: body.task });
      return;
    case 'agent.concluded': {
      const { status, text, evidence, usage, reason } = body.conclusion;
      Object.assign(agent, { status, text, evidence, usage, ...(reason === undefined ? {} : { reason }) });
      return;
    }
    case 'child.concluded':
      takeVerdict(books, body);
      return;
    default:
      takeInStep(books, stepOf(agent, event), event);
      takeGrounding(agent, body);
      if (body.type === 'agent.resumed' || (body.type === 'user.said' && body.why === 'follow_up')) {
        agent.status = 'unfinished';
        delete agent.reason;
        if (event.agent === 'main') head.status = 'open';
      }
  }
}

function takeSpending(head: Books['head'], body: EventBody): void {
  const embeddings = embeddingUsageOf(body);
  if (embeddings) Object.assign(head, { embeddings: addEmbeddings(head.embeddings, embeddings) });
  for (const cost of [modelUsageOf(body)?.cost, embeddings?.cost])
    if (cost !== undefined) head.cost = Number(((head.cost ?? 0) + cost).toFixed(9));
}

/** Events under a path that no delegation announced, in a log that lacks its beginning. */
function adopt(books: Books, path: string): GrowingAgent {
  const agent = newAgent(path, path);
  books.byPath.set(path, agent);
  return agent;
}

function stepOf(agent: GrowingAgent, { step, at }: Event): GrowingStep {
  const last = agent.steps.at(-1);
  if (last?.step === step) return last;
  const next: GrowingStep = { step, at, replies: [], calls: [], remarks: [] };
  agent.steps.push(next);
  return next;
}

function takeInStep(books: Books, step: GrowingStep, { body }: Event): void {
  if (body.type === 'model.replied' || body.type === 'model.failed') step.replies.push(replyOf(body, books.most));
  else if (body.type === 'tool.called') begin(books, step, body);
  else if (body.type === 'tool.finished') finish(books, step, body);
  else if (body.type === 'delegation.started') delegate(books, step, body);
  else {
    const remark: Remark | undefined = remarkOf(body, books.most);
    if (remark) step.remarks.push(remark);
  }
}

function replyOf(body: Extract<EventBody, { type: 'model.replied' | 'model.failed' }>, most: number): ReplyTrace {
  if (body.type === 'model.failed') {
    const { failure, usage } = body;
    return {
      text: clip(failure.partial ?? '', most),
      thinkingCharacters: 0,
      calls: 0,
      usage,
      failure: `${failure.kind}: ${failure.message}`,
    };
  }
  const { message, usage, finish: end } = body;
  return {
    text: clip(message.content, most),
    thinkingCharacters: message.thinking?.length ?? 0,
    calls: message.toolCalls?.length ?? 0,
    finish: end,
    usage,
  };
}

function begin(
  books: Books,
  step: GrowingStep,
  { resultId, tool, arguments: input }: Extract<EventBody, { type: 'tool.called' }>,
): GrowingCall {
  const call: GrowingCall = {
    ...{ resultId, tool, arguments: input, status: 'unfinished', complete: false, elapsedMs: undefined },
    ...{ head: '', characters: 0, children: [] },
  };
  step.calls.push(call);
  books.calls.set(resultId, call);
  return call;
}

function finish(books: Books, step: GrowingStep, body: Extract<EventBody, { type: 'tool.finished' }>): void {
  const call = books.calls.get(body.resultId) ?? begin(books, step, { ...body, type: 'tool.called', arguments: {} });
  const { status, complete, elapsedMs, content, reference } = body;
  Object.assign(call, { status, complete, elapsedMs, head: clip(dataOf(content), books.most), characters: content.length });
  if (reference !== undefined) call.reference = reference;
}

function delegate(books: Books, step: GrowingStep, body: Extract<EventBody, { type: 'delegation.started' }>): void {
  const call =
    books.calls.get(body.resultId) ??
    begin(books, step, { type: 'tool.called', callId: '', resultId: body.resultId, tool: body.agent, arguments: {} });
  call.because = `${body.why}: ${body.because}`;
  for (const { id, path, task } of body.children) {
    const child = { ...newAgent(id, path), agent: body.agent, task };
    call.children.push(child);
    books.byPath.set(path, child);
  }
}

/** The caller's judgement of a child stands above the child's own word. */
function takeVerdict(books: Books, { conclusion }: Extract<EventBody, { type: 'child.concluded' }>): void {
  const child = books.byPath.get(conclusion.path);
  if (child?.id !== conclusion.id) return;
  const { status, text, evidence, usage, model, reason } = conclusion;
  Object.assign(child, { status, text: child.text || text, evidence, usage, model: child.model || model });
  if (reason !== undefined) child.reason = reason;
}

function takeGrounding(agent: GrowingAgent, body: EventBody): void {
  if (body.type === 'answer.grounded') agent.grounding = { figures: body.figures, absences: body.absences };
}
