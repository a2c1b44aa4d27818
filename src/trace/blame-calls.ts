import type { Event, EventBody } from '../core/event.ts';
import type { PlacedBlame } from './blame.ts';
import { clip, dataOf } from './clip-text.ts';
import { compareResults } from './compare-results.ts';
import { callText } from './session-calls.ts';

interface Finished {
  readonly resultId: string;
  readonly content: string;
  readonly step: number;
  readonly position: number;
  readonly text: string;
}

interface AgentCalls {
  /** Results by the call that gave them. */
  readonly byCall: Map<string, Finished[]>;
  /** Errors that no later success of the same tool has made good, by tool. */
  readonly errors: Map<string, PlacedBlame[]>;
  /** Results shown in part whose rest was not read, by reference. */
  readonly cut: Map<string, PlacedBlame>;
}

/** Follows the calls of a session's agents for what is repeated, ignored or read in part only. */
export interface CallWatch {
  called(body: Extract<EventBody, { type: 'tool.called' }>, event: Event): void;
  finished(body: Extract<EventBody, { type: 'tool.finished' }>, event: Event, position: number): void;
  /** What is left once the session is over. */
  finish(): PlacedBlame[];
}

export function watchCalls(): CallWatch {
  const agents = new Map<string, AgentCalls>();
  const begun = new Map<string, Extract<EventBody, { type: 'tool.called' }>>();
  const callsOf = (agent: string): AgentCalls => {
    const known = agents.get(agent) ?? { byCall: new Map(), errors: new Map(), cut: new Map() };
    agents.set(agent, known);
    return known;
  };
  return {
    called: (body, { agent }) => {
      begun.set(body.resultId, body);
      const text = JSON.stringify(body.arguments);
      const { cut } = callsOf(agent);
      for (const reference of cut.keys()) if (text.includes(reference)) cut.delete(reference);
    },
    finished: (body, event, position) => {
      const call = { tool: body.tool, arguments: begun.get(body.resultId)?.arguments ?? {} };
      takeResult(callsOf(event.agent), { body, event, position, text: callText(call) });
    },
    finish: () =>
      [...agents].flatMap(([agent, calls]) => [...[...calls.errors.values()].flat(), ...calls.cut.values(), ...repeated(agent, calls)]),
  };
}

interface Taking {
  readonly body: Extract<EventBody, { type: 'tool.finished' }>;
  readonly event: Event;
  readonly position: number;
  readonly text: string;
}

function takeResult(calls: AgentCalls, { body, event, position, text }: Taking): void {
  const { resultId, tool, status, content, reference } = body;
  const place = { agent: event.agent, step: event.step, results: [resultId], position };
  calls.byCall.set(text, [...(calls.byCall.get(text) ?? []), { resultId, content, step: event.step, position, text }]);
  if (status === 'error' || status === 'refused') {
    const says = clip(/"message":"((?:[^"\\]|\\.)*)"/.exec(content)?.[1] ?? dataOf(content), 160);
    const blame: PlacedBlame = {
      ...place,
      ...{ kind: 'ignored_error', weight: status === 'error' ? 'suspicious' : 'note' },
      text: `${resultId} ${tool} was answered with ${status} and never made good: ${says}`,
    };
    calls.errors.set(tool, [...(calls.errors.get(tool) ?? []), blame]);
  } else calls.errors.delete(tool);
  if (reference !== undefined) {
    const why = `${resultId} ${tool} was too large for the window, and the rest was never read`;
    calls.cut.set(reference, { ...place, kind: 'cut_result', weight: 'note', text: why });
  }
}

/** Calls made again though the first had given the same. */
function repeated(agent: string, { byCall }: AgentCalls): PlacedBlame[] {
  return [...byCall.values()].flatMap((results): PlacedBlame[] => {
    const [first, ...later] = results;
    const again = first ? later.filter(({ content }) => compareResults(first.content, content).length === 0) : [];
    const [second] = again;
    if (!first || !second) return [];
    const weight = again.length >= 2 ? 'suspicious' : 'note';
    return [
      {
        ...{ kind: 'repeated_call', weight, agent, step: second.step, position: second.position },
        results: [first.resultId, ...again.map(({ resultId }) => resultId)],
        text: `the same call gave the same result ${again.length + 1} times: ${clip(first.text, 120)}`,
      },
    ];
  });
}
