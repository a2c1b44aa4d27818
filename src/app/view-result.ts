import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { suggestName } from '../core/nearest.ts';
import { againCommand, type CommandPlace, placeOptions } from '../trace/again-command.ts';
import type { ResultPart } from '../view/view-data.ts';
import type { SessionReading } from './follow-session.ts';
import type { TraceLog } from './trace-log.ts';

/** The most characters of a payload in one answer. */
const PAGE_CHARACTERS = 20_000;

/** A part of a result, as `/api/sessions/ID/results/RID` answers it; a public shape. */
export interface ResultPage {
  readonly id: string;
  /** A tool call, a child's conclusion, or any other event (`@` and its position). */
  readonly kind: 'call' | 'conclusion' | 'event';
  /** The tool, the subagent, or the type of the event. */
  readonly name: string;
  readonly agent: string;
  readonly step: number;
  readonly status: string;
  readonly complete?: boolean;
  readonly elapsedMs?: number;
  readonly part: ResultPart;
  /** The parts that there are. */
  readonly parts: readonly ResultPart[];
  readonly text: string;
  readonly offset: number;
  /** Length of the part in all. */
  readonly characters: number;
  /** Where the next page begins; absent at the end. */
  readonly next?: number;
  /** The command that runs the call again; absent for a subagent, and where an argument held a secret. */
  readonly again?: string;
}

interface Payload extends Pick<ResultPage, 'kind' | 'name' | 'agent' | 'step' | 'status' | 'complete' | 'elapsedMs' | 'again'> {
  readonly texts: Readonly<Partial<Record<ResultPart, () => string>>>;
}

export interface ResultRequest {
  readonly log: TraceLog;
  readonly session: string;
  readonly reading: SessionReading;
  readonly place: CommandPlace;
}

/**
 * A page of what a call was made with or gave, of a child's conclusion (`c3`), or of an event as it stands in the log (`@123`).
 *
 * @throws SoloistError `not_found` for an id that the session does not have
 */
export function readResult(request: ResultRequest, id: string, { part, offset }: { part: ResultPart; offset: number }): ResultPage {
  const { texts, ...about } = findPayload(request, id);
  const parts = (['shown', 'whole', 'arguments'] as const).filter((one) => texts[one] !== undefined);
  const taken = parts.includes(part) ? part : (parts[0] ?? 'shown');
  const text = texts[taken]?.() ?? '';
  const page = cutPage(text, offset);
  const end = offset + page.length;
  return { id, ...about, part: taken, parts, text: page, offset, characters: text.length, ...(end < text.length ? { next: end } : {}) };
}

/** No character is cut in two. */
function cutPage(text: string, offset: number): string {
  const page = text.slice(offset, offset + PAGE_CHARACTERS);
  return offset + page.length < text.length ? page.replace(/[\ud800-\udbff]$/, '') : page;
}

function findPayload(request: ResultRequest, id: string): Payload {
  const { reading } = request;
  const call = reading.calls.get(id);
  if (call) return callPayload(request, call);
  const conclusion = reading.conclusions.get(id);
  if (conclusion !== undefined) return conclusionPayload(request, conclusion);
  const position = /^@(\d{1,15})$/.exec(id)?.[1];
  const event = position === undefined ? undefined : eventAt(request, Number(position));
  if (event) return eventPayload(event);
  throw new SoloistError('not_found', `session ${request.session} has no result "${id}"`, {
    fix: suggestName(id, [...reading.calls.keys(), ...reading.conclusions.keys()]),
  });
}

function eventAt({ log, session }: ResultRequest, position: number | undefined): Event | undefined {
  const event = position === undefined ? undefined : log.pages.at([position])[0]?.event;
  return event?.session === session ? event : undefined;
}

function callPayload(
  request: ResultRequest,
  { called, finished, delegates }: { called?: number; finished?: number; delegates?: true },
): Payload {
  const [begun, ended] = [eventAt(request, called), eventAt(request, finished)];
  const { agent = '', step = 0 } = begun ?? ended ?? {};
  const input = begun?.body.type === 'tool.called' ? begun.body.arguments : undefined;
  const result = ended?.body.type === 'tool.finished' ? ended.body : undefined;
  const name = result?.tool ?? (begun?.body.type === 'tool.called' ? begun.body.tool : '');
  const { reference } = result ?? {};
  const options = placeOptions(request.place, request.reading.sources);
  const again = input === undefined || delegates ? undefined : againCommand(name, input, options);
  return {
    ...{ kind: 'call', name, agent, step, status: result?.status ?? 'unfinished' },
    ...(result === undefined ? {} : { complete: result.complete, elapsedMs: result.elapsedMs }),
    ...(again === undefined ? {} : { again }),
    texts: {
      ...(result === undefined ? {} : { shown: () => indented(result.content) }),
      ...(reference === undefined ? {} : { whole: () => indented(request.log.getBlob(reference) ?? missing(reference)) }),
      ...(input === undefined ? {} : { arguments: () => JSON.stringify(input, null, 2) }),
    },
  };
}

function conclusionPayload(request: ResultRequest, position: number): Payload {
  const event = eventAt(request, position);
  if (event?.body.type !== 'child.concluded') throw new SoloistError('internal', `there is no conclusion at ${position}`);
  const { conclusion } = event.body;
  const { fullText } = conclusion;
  return {
    ...{ kind: 'conclusion', name: conclusion.agent, agent: conclusion.path, step: event.step, status: conclusion.status },
    texts: {
      shown: () => [conclusion.reason, conclusion.text].filter(Boolean).join('\n\n'),
      ...(fullText === undefined ? {} : { whole: () => request.log.getBlob(fullText) ?? missing(fullText) }),
      arguments: () => conclusion.goal,
    },
  };
}

function eventPayload({ body, agent, step }: Event): Payload {
  return { kind: 'event', name: body.type, agent, step, status: '', texts: { shown: () => JSON.stringify(body, null, 2) } };
}

function missing(hash: string): string {
  return `[payload ${hash} is missing from the log]`;
}

/** JSON in lines, to be read; a number keeps its digits, so what would change in passing stays as it is. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
