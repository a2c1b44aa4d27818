import type { ConclusionStatus } from '../core/conclusion.ts';
import type { Event } from '../core/event.ts';
import type { MemoryEventBody } from '../core/memory-event.ts';
import type { LogPlace } from '../core/note.ts';
import type { Finding } from '../core/tool.ts';

type Proposal = Extract<MemoryEventBody, { type: 'note.proposed' }>;

export interface RecalledNote {
  readonly key: string;
  readonly text: string;
}

/** What a closed session has to say, with the places in the log: nothing of its prompts, its files or what memory gave it. */
export interface SessionFacts {
  readonly session: string;
  readonly round: number;
  readonly closedAt: number;
  readonly question: string;
  readonly agent: string;
  readonly status: ConclusionStatus;
  readonly answer: string;
  /** Where the answer stands, with the findings once more: a note stands for what it says there too. */
  readonly concluded: LogPlace;
  readonly findings: readonly { readonly finding: Finding; readonly place: LogPlace }[];
  readonly proposals: readonly { readonly proposal: Proposal; readonly place: LogPlace }[];
  /** The tool that gave each result. */
  readonly tools: ReadonlyMap<string, string>;
  /** Notes that memory had put into the window, as they stood there. */
  readonly recalled: readonly RecalledNote[];
  /** Whether the gate has looked at this round already. */
  readonly distilled: boolean;
}

/** The path under which memory writes its own events into a session. */
export const MEMORY_PATH = 'memory';

/** The step of memory's events about a round: first what was distilled, then one note a sequence number. */
export function distilledStep(round: number): number {
  return round * 2;
}

export function gatherFacts(events: Iterable<Event>): SessionFacts | undefined {
  const places = new Map<string, LogPlace>();
  const tools = new Map<string, string>();
  const proposals: { proposal: Proposal; place: LogPlace }[] = [];
  const recalled: RecalledNote[] = [];
  const distilled = new Set<number>();
  let question = '';
  let agent = '';
  let closed: Event | undefined;
  let concluded: Event | undefined;
  for (const event of events) {
    const { body } = event;
    if (body.type === 'session.opened') {
      question = body.question;
      agent = body.agent;
    } else if (body.type === 'tool.finished') {
      tools.set(body.resultId, body.tool);
      places.set(`${event.agent} ${body.resultId}`, placeOf(event));
      if (body.tool === 'recall' && body.status === 'ok') recalled.push(...notesAmong(hitsOf(body.content)));
    } else if (body.type === 'note.proposed') proposals.push({ proposal: body, place: placeOf(event) });
    else if (body.type === 'memory.recalled') recalled.push(...notesAmong(body.hits));
    else if (body.type === 'memory.distilled') distilled.add(event.round);
    else if (body.type === 'agent.concluded' && event.agent === 'main') concluded = event;
    else if (body.type === 'session.closed') closed = event;
  }
  if (!closed || concluded?.body.type !== 'agent.concluded') return undefined;
  const { conclusion } = concluded.body;
  const at = placeOf(concluded);
  return {
    session: closed.session,
    round: closed.round,
    closedAt: closed.at,
    question,
    agent,
    status: conclusion.status,
    answer: conclusion.text,
    concluded: at,
    findings: conclusion.findings.map((finding) => ({ finding, place: places.get(`main ${finding.id}`) ?? at })),
    proposals,
    tools,
    recalled,
    distilled: distilled.has(closed.round),
  };
}

function notesAmong(hits: readonly { readonly key?: string | undefined; readonly text?: string | undefined }[]): readonly RecalledNote[] {
  return hits.flatMap(({ key, text }) => (key === undefined || text === undefined ? [] : [{ key, text }]));
}

function hitsOf(content: string): readonly Partial<RecalledNote>[] {
  try {
    return (JSON.parse(content) as { data?: { hits?: readonly Partial<RecalledNote>[] } }).data?.hits ?? [];
  } catch {
    return [];
  }
}

export function placeOf({ session, agent, step, sequence }: LogPlace): LogPlace {
  return { session, agent, step, sequence };
}

/** Whether a text was taken out of the log. */
export function isForgotten(text: string): boolean {
  return text === '[forgotten]';
}
