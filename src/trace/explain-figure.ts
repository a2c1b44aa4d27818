import type { Conclusion } from '../core/conclusion.ts';
import type { Event, EventBody, RecordedSource } from '../core/event.ts';
import type { Figure, FigureSource, FigureStatus } from '../core/figure.ts';
import { againCommand, type CommandPlace, placeOptions } from './again-command.ts';
import { valueAt } from './json-path.ts';
import { type FigureHit, numberOf, searchFigure } from './search-figure.ts';

/** Where a figure comes from, as `soloist trace why --json` prints it; a public shape. */
export interface FigureExplanation {
  readonly session: string;
  readonly figure: string;
  /** `found` and `not_found` where the answer's own check does not name the figure and the results were searched for it. */
  readonly status: FigureStatus | 'found' | 'not_found';
  /** The agents whose conclusions hold it. */
  readonly answers: readonly string[];
  /** Recorded findings whose claims hold it. */
  readonly findings: readonly FindingPlace[];
  readonly formula?: string;
  readonly reason?: string;
  readonly sources: readonly FigureOrigin[];
}

/** A finding by its agent and the id under which it was recorded. */
export interface FindingPlace {
  readonly agent: string;
  readonly id: string;
}

/** The tool call behind a figure. */
export interface FigureOrigin {
  readonly result: string;
  readonly path: string;
  readonly value: string;
  /** From the answer down to the call: `main`, the delegations' results, the child. */
  readonly way: readonly string[];
  readonly step: number;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly complete: boolean;
  readonly asOf?: string;
  /** The command that runs the call again; absent for a subagent, and where an argument held a secret. */
  readonly again?: string;
}

type Finished = Extract<EventBody, { type: 'tool.finished' }>;

interface Call {
  readonly agent: string;
  readonly step: number;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly finished: Finished;
}

interface Books {
  readonly calls: Map<string, Call>;
  readonly arguments: Map<string, Readonly<Record<string, unknown>>>;
  /** The result in which a child's conclusion came back, by the child's path. */
  readonly delegations: Map<string, { readonly result: string; readonly agent: string }>;
  readonly figures: Map<string, readonly Figure[]>;
  readonly texts: Map<string, string>;
  readonly findings: Map<string, Conclusion['findings']>;
  /** Results that a conclusion names as its evidence. */
  readonly cited: Set<string>;
  /** What the session was run with. */
  sources: readonly RecordedSource[];
  /** Options of the commands that run calls again. */
  options: string;
}

const MOST_SOURCES = 5;
const RANKS = { exact: 0, equal: 1, rounded: 2 } as const;
const REPEATED = 4;

export interface FigureQuestion {
  readonly figure: string;
  /** The whole of a result that the window showed only in part. */
  readonly getBlob: (hash: string) => string | undefined;
  /** Where the commands that run calls again are to be typed. */
  readonly place?: CommandPlace;
}

/**
 * From a figure to the calls that it rests on: by the check of the answer where that names it, else by a search of the
 * session's results.
 */
export function explainFigure(
  session: string,
  events: Iterable<Event>,
  { figure, getBlob, place = {} }: FigureQuestion,
): FigureExplanation {
  const books = readBooks(events);
  books.options = placeOptions(place, books.sources);
  const whole = (call: Call): unknown => parse((call.finished.reference && getBlob(call.finished.reference)) ?? call.finished.content);
  const holds = (text: string): boolean => searchFigure({ text }, figure).length > 0;
  const answers = [...books.texts].flatMap(([agent, text]) => (holds(text) ? [agent] : []));
  const findings = [...books.findings].flatMap(([agent, own]) => own.flatMap(({ id, claim }) => (holds(claim) ? [{ agent, id }] : [])));
  const checked = findChecked(books, figure);
  if (checked && (checked.sources.length > 0 || checked.status === 'given')) {
    const sources = checked.sources.flatMap((source) => originOf(books, source, whole));
    const { status, formula, reason } = checked;
    return {
      session,
      figure: checked.text,
      status,
      answers,
      findings,
      ...(formula ? { formula } : {}),
      ...(reason ? { reason } : {}),
      sources,
    };
  }
  const sources = searchResults(books, figure, whole);
  const status = checked?.status ?? (sources.length > 0 ? 'found' : 'not_found');
  return { session, figure, status, answers, findings, ...(checked?.reason ? { reason: checked.reason } : {}), sources };
}

function readBooks(events: Iterable<Event>): Books {
  const books: Books = {
    calls: new Map(),
    arguments: new Map(),
    delegations: new Map(),
    figures: new Map(),
    texts: new Map(),
    findings: new Map(),
    cited: new Set(),
    sources: [],
    options: '',
  };
  for (const { agent, step, body } of events) {
    if (body.type === 'session.opened') books.sources = body.sources;
    else if (body.type === 'tool.called') books.arguments.set(body.resultId, body.arguments);
    else if (body.type === 'tool.finished')
      books.calls.set(body.resultId, { agent, step, arguments: books.arguments.get(body.resultId) ?? {}, finished: body });
    else if (body.type === 'delegation.started')
      for (const child of body.children) books.delegations.set(child.path, { result: body.resultId, agent: body.agent });
    else if (body.type === 'agent.concluded') {
      books.texts.set(agent, body.conclusion.text);
      books.findings.set(agent, body.conclusion.findings);
      for (const id of body.conclusion.evidence) books.cited.add(id);
    } else if (body.type === 'answer.grounded') books.figures.set(agent, body.figures);
  }
  return books;
}

/** The main agent's figures first, then its children's in the order in which they were checked. */
function findChecked({ figures }: Books, wanted: string): Figure | undefined {
  const number = numberOf(wanted);
  const all = [...(figures.get('main') ?? []), ...[...figures].flatMap(([agent, own]) => (agent === 'main' ? [] : own))];
  const text = wanted.trim();
  return (
    all.find((one) => one.text === text) ??
    all.find((one) => one.text.includes(text) && /\D/.test(text)) ??
    (number === undefined ? undefined : all.find((one) => numberOf(one.text) === number))
  );
}

function originOf(books: Books, source: FigureSource, whole: (call: Call) => unknown): FigureOrigin[] {
  const call = books.calls.get(source.result);
  if (!call) return [];
  const holder = source.path.startsWith('arguments.') ? { arguments: call.arguments } : whole(call);
  const value = valueAt(holder, source.path);
  return [describe(books, call, { path: source.path, value: typeof value === 'object' ? JSON.stringify(value) : String(value ?? '') })];
}

function searchResults(books: Books, figure: string, whole: (call: Call) => unknown): FigureOrigin[] {
  const found: { readonly call: Call; readonly hit: FigureHit; readonly rank: number }[] = [];
  const delegating = new Set([...books.delegations.values()].map(({ result }) => result));
  for (const call of books.calls.values()) {
    const [hit] = searchFigure(dataIn(whole(call)), figure);
    if (!hit) continue;
    const { resultId } = call.finished;
    const repeats = delegating.has(resultId) || searchFigure(call.arguments, figure).length > 0;
    found.push({ call, hit, rank: RANKS[hit.how] + (repeats ? REPEATED : 0) - (books.cited.has(resultId) ? 0.5 : 0) });
  }
  // Nearer to the figure as it is written, and cited, comes first. What a call was given, and what a subagent's own calls
  // found before, is only repeated.
  const best = found
    .sort((left, right) => left.rank - right.rank)
    .filter(({ rank }, _, all) => rank < REPEATED - 1 || (all[0]?.rank ?? 0) >= REPEATED - 1);
  return best.slice(0, MOST_SOURCES).map(({ call, hit }) => describe(books, call, hit));
}

/** Without the id, the time and what else surrounds the data. */
function dataIn(result: unknown): unknown {
  if (result === null || typeof result !== 'object') return result;
  const { data, total, returned } = result as Record<string, unknown>;
  return { data, ...(total === undefined ? {} : { total }), ...(returned === undefined ? {} : { returned }) };
}

function describe(books: Books, call: Call, { path, value }: { readonly path: string; readonly value: string }): FigureOrigin {
  const { finished, agent, step } = call;
  const asOf = /"as_of":"([^"]+)"/.exec(finished.content)?.[1];
  const isDelegation = [...books.delegations.values()].some(({ result }) => result === finished.resultId);
  const again = isDelegation ? undefined : againCommand(finished.tool, call.arguments, books.options);
  return {
    ...{ result: finished.resultId, path, value, way: wayTo(books, agent), step, tool: finished.tool },
    ...{ arguments: call.arguments, status: finished.status, complete: finished.complete },
    ...(asOf === undefined ? {} : { asOf }),
    ...(again === undefined ? {} : { again }),
  };
}

function wayTo({ delegations }: Books, agent: string): string[] {
  const way: string[] = [];
  for (let path = agent; path !== 'main'; path = path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : 'main') {
    const delegation = delegations.get(path);
    way.unshift(delegation ? `${delegation.result} ${delegation.agent}` : '?', path);
  }
  return ['main', ...way];
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
