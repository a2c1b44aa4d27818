import type { Event } from '../core/event.ts';

/** One call of a session with what it returned, for comparing sessions. */
export interface SessionCall {
  readonly agent: string;
  readonly step: number;
  readonly resultId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly status: string;
  readonly complete: boolean;
  readonly content: string;
  readonly reference?: string;
}

/** The calls of a session in the order they were made, agent by agent as they were interleaved. */
export function callsOf(events: Iterable<Event>): SessionCall[] {
  const calls = new Map<string, SessionCall>();
  for (const { agent, step, body } of events) {
    if (body.type === 'tool.called') {
      const { resultId, tool, arguments: input } = body;
      calls.set(resultId, { agent, step, resultId, tool, arguments: input, status: 'unfinished', complete: false, content: '' });
    } else if (body.type === 'tool.finished') {
      const { resultId, tool, status, complete, content, reference } = body;
      const begun = calls.get(resultId) ?? { agent, step, resultId, tool, arguments: {} };
      calls.set(resultId, { ...begun, status, complete, content, ...(reference === undefined ? {} : { reference }) });
    }
  }
  return [...calls.values()];
}

/** Name and arguments in one text, whatever the order of the keys. */
export function callText({ tool, arguments: input }: Pick<SessionCall, 'tool' | 'arguments'>): string {
  return `${tool} ${JSON.stringify(sorted(input))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
