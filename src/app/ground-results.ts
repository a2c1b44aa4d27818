import { FINDING_TOOL } from '../agent/finding-from-result.ts';
import type { Event, EventLog } from '../core/event.ts';
import type { GroundingResult } from '../grounding/result-index.ts';

/** Tools whose results repeat what the agent wrote itself: nothing can rest on them. */
const ECHOES: ReadonlySet<string> = new Set([FINDING_TOOL, 'scratchpad', 'remember', 'graph_add', 'load_tools']);

/** The tool results of a session, kept as they are recorded, so that no check has to read the log again. */
export interface SessionResults {
  take(event: Event): void;
  /**
   * The results that an agent's answer can rest on: its own and those of its children, down to the tools. What a child
   * concluded is no result of a tool and stands for nothing by itself.
   */
  of(path: string): GroundingResult[];
}

type Finished = Extract<Event['body'], { type: 'tool.finished' }>;

interface AgentResults {
  /** By result: a call that was cut off and made again has the result that it gave then. */
  readonly finished: Map<string, Finished>;
  readonly calls: Map<string, Readonly<Record<string, unknown>>>;
  /** Ids of the results that only bring conclusions up. */
  readonly delegations: Set<string>;
}

/** @param log where the whole of a result is, when the window showed a part */
export function keepResults(log: Pick<EventLog, 'getBlob'>): SessionResults {
  const agents = new Map<string, AgentResults>();
  const through = new Map<string, string>();
  const at = (path: string): AgentResults => {
    const known = agents.get(path) ?? { finished: new Map(), calls: new Map(), delegations: new Set() };
    agents.set(path, known);
    return known;
  };
  const resultsOf = (agent: string, { finished, calls, delegations }: AgentResults, asked: string): GroundingResult[] =>
    [...finished.values()]
      .filter(({ resultId }) => !delegations.has(resultId))
      .map((body) =>
        resultFrom(body, { log, given: calls.get(body.resultId) ?? {}, through: agent === asked ? undefined : through.get(agent) }),
      );
  return {
    take: ({ agent, body }) => {
      if (body.type === 'tool.called') at(agent).calls.set(body.resultId, body.arguments);
      else if (body.type === 'delegation.started') at(agent).delegations.add(body.resultId);
      else if (body.type === 'child.concluded') through.set(body.conclusion.path, body.conclusion.id);
      else if (body.type === 'tool.finished' && !ECHOES.has(body.tool)) at(agent).finished.set(body.resultId, body);
    },
    of: (path) =>
      [...agents]
        .filter(([agent]) => path === 'main' || agent === path || agent.startsWith(`${path}.`))
        .flatMap(([agent, held]) => resultsOf(agent, held, path)),
  };
}

interface Holding {
  readonly log: Pick<EventLog, 'getBlob'>;
  readonly given: Readonly<Record<string, unknown>>;
  readonly through: string | undefined;
}

function resultFrom(body: Finished, { log, given, through }: Holding): GroundingResult {
  const whole = body.reference === undefined ? undefined : log.getBlob(body.reference);
  return {
    id: body.resultId,
    tool: body.tool,
    arguments: given,
    complete: body.complete,
    informative: body.status !== 'error' && body.status !== 'refused',
    content: body.content,
    ...(whole === undefined ? {} : { whole }),
    ...(through === undefined ? {} : { through }),
  };
}
