import { FINDING_TOOL } from '../agent/finding-from-result.ts';
import type { Event, EventLog } from '../core/event.ts';
import type { GroundingResult } from '../grounding/result-index.ts';

/** Tools whose results repeat what the agent wrote itself: nothing can rest on them. */
const ECHOES: ReadonlySet<string> = new Set([FINDING_TOOL, 'scratchpad', 'remember', 'graph_add', 'load_tools']);

/**
 * The tool results that an agent's answer can rest on: its own and those of its children, down to the tools. What a child
 * concluded is no result of a tool and stands for nothing by itself.
 */
export function groundingResults(log: Pick<EventLog, 'read' | 'getBlob'>, session: string, path: string): GroundingResult[] {
  const calls = new Map<string, Readonly<Record<string, unknown>>>();
  const delegations = new Set<string>();
  const through = new Map<string, string>();
  const finished: Extract<Event['body'], { type: 'tool.finished' }>[] = [];
  const agents: string[] = [];
  for (const { agent, body } of log.read(session)) {
    if (path !== 'main' && agent !== path && !agent.startsWith(`${path}.`)) continue;
    if (body.type === 'tool.called') calls.set(body.resultId, body.arguments);
    else if (body.type === 'delegation.started') delegations.add(body.resultId);
    else if (body.type === 'child.concluded') through.set(body.conclusion.path, body.conclusion.id);
    else if (body.type === 'tool.finished' && !ECHOES.has(body.tool)) {
      finished.push(body);
      agents.push(agent);
    }
  }
  return finished.flatMap((body, at): GroundingResult[] => {
    if (delegations.has(body.resultId)) return [];
    const whole = body.reference === undefined ? undefined : log.getBlob(body.reference);
    const brought = agents[at] === path ? undefined : through.get(agents[at] ?? '');
    return [
      {
        id: body.resultId,
        tool: body.tool,
        arguments: calls.get(body.resultId) ?? {},
        complete: body.complete,
        informative: body.status !== 'error' && body.status !== 'refused',
        content: body.content,
        ...(whole === undefined ? {} : { whole }),
        ...(brought === undefined ? {} : { through: brought }),
      },
    ];
  });
}
