import type { Event, EventBody } from '../core/event.ts';
import type { Grounding } from '../core/figure.ts';
import type { Blame, BlameKind, PlacedBlame } from './blame.ts';
import { watchCalls } from './blame-calls.ts';
import { clip } from './clip-text.ts';

interface Grounded {
  readonly event: Event;
  readonly position: number;
  readonly grounding: Grounding;
}

interface Books {
  readonly found: PlacedBlame[];
  /** The last check of each agent's answer: an earlier one was sent back. */
  readonly grounded: Map<string, Grounded>;
  /** What was found of each child at its last conclusion, by its id. */
  readonly failedChildren: Map<string, PlacedBlame>;
  /** The agents that have called a tool. */
  readonly callers: Set<string>;
  /** The step that each agent is at. */
  readonly steps: Map<string, number>;
  last: Event | undefined;
  closed: boolean;
}

/** What may have gone wrong in a session, in the order in which it happened, from its events alone. */
export function blameSession(events: Iterable<Event>): Blame[] {
  const books: Books = {
    found: [],
    grounded: new Map(),
    failedChildren: new Map(),
    callers: new Set(),
    steps: new Map(),
    last: undefined,
    closed: false,
  };
  const calls = watchCalls();
  let position = 0;
  for (const event of events) {
    position++;
    books.last = event;
    books.steps.set(event.agent, event.step);
    const { body } = event;
    if (body.type === 'tool.called') calls.called(body, event);
    else if (body.type === 'tool.finished') calls.finished(body, event, position);
    takeEvent(books, event, position);
  }
  const all = [
    ...books.found,
    ...books.failedChildren.values(),
    ...calls.finish(),
    ...[...books.grounded.values()].flatMap(unsupported),
    ...notClosed(books, position),
  ];
  return all.sort((left, right) => left.position - right.position).map(({ position: _position, ...blame }) => blame);
}

function takeEvent(books: Books, event: Event, position: number): void {
  const { body, agent, step } = event;
  const add = (kind: BlameKind, weight: Blame['weight'], text: string): void => {
    books.found.push({ kind, weight, agent, step, results: [], text, position });
  };
  switch (body.type) {
    case 'tool.called':
      books.callers.add(agent);
      break;
    case 'model.replied':
      takeReply(body, add);
      break;
    case 'model.failed':
      add(
        body.failure.kind === 'empty_turn' ? 'empty_turn' : 'model_failed',
        'suspicious',
        `the model failed (${body.failure.kind}): ${body.failure.message}`,
      );
      break;
    case 'context.fitted':
      add('fitted_window', body.compacted ? 'suspicious' : 'note', fitText(body));
      break;
    case 'limit.reached':
      add('limit_reached', 'wrong', `it had to stop at a limit: ${body.detail}`);
      break;
    case 'loop.blocked':
      add('loop', 'wrong', `${body.tool} gave the same result ${body.times} times: the run was ended as a loop`);
      break;
    case 'interrupted':
      add('interrupted', 'wrong', 'it was interrupted');
      break;
    case 'agent.resumed':
      books.closed = false;
      takeResumption(books.found, agent);
      add('resumed', 'note', `it went on after: ${body.after}`);
      break;
    case 'child.concluded':
      takeChild(books, body, position);
      break;
    case 'agent.concluded':
      takeConclusion(books, event, body, add);
      break;
    case 'session.closed':
      books.closed = true;
      break;
    case 'answer.grounded':
      books.grounded.set(agent, { event, position, grounding: body });
      break;
    default:
  }
}

type Add = (kind: BlameKind, weight: Blame['weight'], text: string) => void;

function takeReply({ message, finish }: Extract<EventBody, { type: 'model.replied' }>, add: Add): void {
  if (finish === 'length') add('cut_reply', 'suspicious', 'the reply was cut off at the output limit');
  if (message.content.trim() === '' && (message.toolCalls ?? []).length === 0) add('empty_turn', 'wrong', 'the model answered nothing');
}

/** What had ended it no longer spoils its answer. */
function takeResumption(found: PlacedBlame[], agent: string): void {
  for (const [at, blame] of found.entries())
    if (blame.agent === agent && ENDINGS.has(blame.kind) && blame.weight === 'wrong')
      found[at] = { ...blame, weight: 'note', text: `${blame.text}; it went on later` };
}

const ENDINGS: ReadonlySet<BlameKind> = new Set(['limit_reached', 'interrupted', 'bad_end']);

/** It counts against the child, whose own step it was. The last word on a child holds: it may have gone on. */
function takeChild(
  { failedChildren, steps }: Books,
  { conclusion }: Extract<EventBody, { type: 'child.concluded' }>,
  position: number,
): void {
  const { id, path, agent, status, reason, goal, evidence } = conclusion;
  failedChildren.delete(id);
  if (status === 'ok') return;
  const text = `child ${id} (${agent}) concluded ${status}${reason ? `: ${reason}` : ''}; its task: ${clip(goal, 100)}`;
  failedChildren.set(id, {
    kind: 'child_failed',
    weight: 'wrong',
    agent: path,
    step: steps.get(path) ?? 0,
    results: evidence.slice(0, 5),
    text,
    position,
  });
}

/** What is no fault, and what the event of the limit or of the interruption tells. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set(['ok', 'budget', 'timeout', 'aborted']);

function takeConclusion(
  { callers }: Books,
  { agent }: Event,
  { conclusion }: Extract<EventBody, { type: 'agent.concluded' }>,
  add: Add,
): void {
  if (conclusion.status === 'ok' && !callers.has(agent) && /\d/.test(conclusion.text))
    add('no_tool_called', 'wrong', 'it answered with figures without calling a tool');
  // A child's ending is told by its caller, which judges it.
  if (agent === 'main' && !TOLD_ELSEWHERE.has(conclusion.status))
    add('bad_end', 'wrong', `it ended as ${conclusion.status}${conclusion.reason ? `: ${conclusion.reason}` : ''}`);
}

function fitText({ shortened, compacted }: Extract<EventBody, { type: 'context.fitted' }>): string {
  const heads = shortened.length > 0 ? [`${shortened.length} results became heads`] : [];
  const turns = compacted ? [`${compacted.messages} messages became a summary by ${compacted.by}`] : [];
  return `the window was full: ${[...heads, ...turns].join(', ')}`;
}

function unsupported({ event: { agent, step }, position, grounding: { figures, absences } }: Grounded): PlacedBlame[] {
  const place = { agent, step, position };
  return [
    ...figures
      .filter(({ status }) => status === 'unsupported')
      .map(
        ({ text, reason, sources }): PlacedBlame => ({
          ...place,
          ...{ kind: 'unsupported_figure', weight: 'wrong', results: sources.map(({ result }) => result) },
          text: reason ? `no tool result supports the figure ${text}: ${reason}` : `the figure ${text} is in no tool result`,
        }),
      ),
    ...absences
      .filter(({ supported }) => !supported)
      .map(
        ({ text, reason, results }): PlacedBlame => ({
          ...place,
          ...{ kind: 'unsupported_absence', weight: 'wrong', results },
          text: `“${clip(text, 120)}” says that something is not there, and no complete result says so${reason ? `: ${reason}` : ''}`,
        }),
      ),
  ];
}

function notClosed({ closed, last }: Books, position: number): PlacedBlame[] {
  if (closed || !last) return [];
  const text = `the log ends with ${last.body.type} of ${last.agent}: the process was killed, or is still at work`;
  return [{ kind: 'not_closed', weight: 'wrong', agent: last.agent, step: last.step, results: [], text, position: position + 1 }];
}
