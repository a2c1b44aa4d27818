import type { Event } from '../core/event.ts';
import { groupBy } from '../core/group-by.ts';
import type { Usage } from '../core/usage.ts';
import { type Change, compareResults } from './compare-results.ts';
import { callsOf, callText, type SessionCall } from './session-calls.ts';

/** Where two sessions part, as `soloist trace diff --json` prints it; a public shape. */
export interface SessionDiff {
  readonly left: SessionSide;
  readonly right: SessionSide;
  readonly sameQuestion: boolean;
  readonly sameAnswer: boolean;
  /** The first line that differs, whichever agent's; absent when all calls and results are the same. */
  readonly first?: DiffLine;
  readonly agents: readonly AgentDiff[];
}

export interface SessionSide {
  readonly session: string;
  readonly agent: string;
  readonly question: string;
  readonly model: string;
  readonly status: string;
  readonly answer: string;
  readonly usage: Usage | undefined;
}

export interface AgentDiff {
  readonly agent: string;
  readonly lines: readonly DiffLine[];
}

export interface DiffLine {
  readonly agent: string;
  /** `same`; `result`: the same call with another result; `left` and `right`: a call that only one made. */
  readonly kind: 'same' | 'result' | 'left' | 'right';
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly left?: string;
  readonly right?: string;
  readonly changes: readonly Change[];
}

/** More calls of one agent than this are compared in order, without looking for the best match. */
const MOST_MATCHED = 2_000;

export function diffSessions(left: readonly Event[], right: readonly Event[]): SessionDiff {
  const sides = { left: sideOf(left), right: sideOf(right) };
  const calls = { left: groupBy(callsOf(left), agentOf), right: groupBy(callsOf(right), agentOf) };
  const names = new Set([...calls.left.keys(), ...calls.right.keys()]);
  const agents = [...names].map((agent) => ({ agent, lines: diffCalls(calls.left.get(agent) ?? [], calls.right.get(agent) ?? []) }));
  const first = firstOf(agents);
  return {
    ...sides,
    sameQuestion: sides.left.question === sides.right.question,
    sameAnswer: sides.left.answer === sides.right.answer,
    ...(first ? { first } : {}),
    agents,
  };
}

/** A child's difference comes before that of its caller, which is only told of it. */
function firstOf(agents: readonly AgentDiff[]): DiffLine | undefined {
  const firsts = agents.flatMap(({ lines }) => lines.find(({ kind }) => kind !== 'same') ?? []);
  const depth = ({ agent }: DiffLine): number => (agent === 'main' ? 0 : agent.split('.').length);
  const own = firsts.find((line) => line.agent === 'main' && line.kind !== 'result');
  return own ?? [...firsts].sort((one, other) => depth(other) - depth(one))[0];
}

function sideOf(events: readonly Event[]): SessionSide {
  const side = { session: events[0]?.session ?? '', agent: '', question: '', model: '', status: 'open', answer: '' };
  let usage: Usage | undefined;
  for (const { agent, body } of events) {
    if (body.type === 'session.opened') Object.assign(side, { agent: body.agent, question: body.question, model: body.model });
    else if (body.type === 'session.closed') side.status = body.status;
    else if (body.type === 'agent.concluded' && agent === 'main') {
      side.answer = body.conclusion.text;
      usage = body.conclusion.usage;
    }
  }
  return { ...side, usage };
}

function agentOf({ agent }: SessionCall): string {
  return agent;
}

function diffCalls(left: readonly SessionCall[], right: readonly SessionCall[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [at, other] = [0, 0];
  for (const [leftAt, rightAt] of [...matches(left.map(callText), right.map(callText)), [left.length, right.length] as const]) {
    for (; at < leftAt; at++) lines.push(lineOf('left', left[at], undefined));
    for (; other < rightAt; other++) lines.push(lineOf('right', undefined, right[other]));
    if (at < left.length && other < right.length) lines.push(lineOf('same', left[at++], right[other++]));
  }
  return lines;
}

function lineOf(kind: 'same' | 'left' | 'right', left: SessionCall | undefined, right: SessionCall | undefined): DiffLine {
  const { agent, tool, arguments: input } = (left ?? right) as SessionCall;
  const changes = left && right ? compareResults(left.content, right.content) : [];
  return {
    ...{ agent, kind: changes.length > 0 ? 'result' : kind, tool, arguments: input },
    ...(left ? { left: left.resultId } : {}),
    ...(right ? { right: right.resultId } : {}),
    changes,
  };
}

/** Pairs of places with the same call, rising on both sides: the longest such list. */
function matches(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  if (left.length > MOST_MATCHED || right.length > MOST_MATCHED) return inOrder(left, right);
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const below = lengths[(row + 1) * width + column] ?? 0;
      const beside = lengths[row * width + column + 1] ?? 0;
      const both = (lengths[(row + 1) * width + column + 1] ?? 0) + 1;
      lengths[row * width + column] = left[row] === right[column] ? both : Math.max(below, beside);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < left.length && column < right.length; ) {
    if (left[row] === right[column]) pairs.push([row++, column++]);
    else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row++;
    else column++;
  }
  return pairs;
}

function inOrder(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let at = 0; at < Math.min(left.length, right.length) && left[at] === right[at]; at++) pairs.push([at, at]);
  return pairs;
}
