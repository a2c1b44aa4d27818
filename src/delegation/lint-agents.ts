import type { AgentSpec, SubagentSpec } from '../core/agent-spec.ts';
import type { Problem } from '../core/errors.ts';
import { subagentToolName } from './subagent-tool.ts';

/** More tools of its own than this, and an agent that delegates chooses badly among them. */
export const MOST_ORCHESTRATOR_TOOLS = 20;

export interface LintSurroundings {
  /** Names of all tools, for patterns with a trailing `*`. */
  readonly toolNames: readonly string[];
  /** `file:line:column` of the value at a path of an agent's file. */
  readonly where: (agent: AgentSpec, path: readonly (string | number)[]) => string;
}

/**
 * What can be seen of delegations before anything runs: claims that the files themselves contradict, children that are no
 * more than a tool, nesting that never happens. Warnings all; subagents that do not exist are skipped.
 */
export function lintAgents(agents: readonly AgentSpec[], surroundings: LintSurroundings): Problem[] {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const lint = (agent: AgentSpec): Problem[] => [
    ...lintOrchestrator(agent, surroundings),
    ...lintDepth(agent, byName, surroundings),
    ...agent.subagents.flatMap((entry, index) => {
      const child = byName.get(entry.agent);
      const listing = child && { agent, entry, child, index };
      return listing ? [...lintSubagent(listing, surroundings), ...lintShares(listing, surroundings)] : [];
    }),
  ];
  return [...agents.flatMap(lint), ...lintDescriptions(agents, surroundings)];
}

interface Listing {
  readonly agent: AgentSpec;
  readonly entry: SubagentSpec;
  readonly child: AgentSpec;
  /** Of the entry in the list of the agent's subagents. */
  readonly index: number;
}

function lintSubagent({ agent, entry, child, index }: Listing, { toolNames, where }: LintSurroundings): Problem[] {
  const problems: Problem[] = [];
  const warn = (path: readonly (string | number)[], fact: string, fix: string): void => {
    problems.push({ where: where(agent, ['subagents', index, ...path]), fact, fix, severity: 'warning' });
  };
  const { buys } = entry.justification;
  const has = (claim: (typeof buys)[number]): boolean => buys.includes(claim);
  const tools = allTools(child, toolNames);
  if (buys.length === 1 && has('multi_step_reasoning')) {
    warn(
      ['justification', 'buys'],
      `"${child.name}" buys multi_step_reasoning alone: in measured work, reasoning in sequence comes out worse when it is split between agents`,
      `give ${agent.name} the tools of ${child.name}, or name what else the split buys (context_isolation, parallelism, scoped_tools)`,
    );
  }
  const own = new Set(allTools(agent, toolNames));
  if (has('scoped_tools') && tools.every((name) => own.has(name))) {
    const all = tools.length === 0 ? 'it has none' : `${agent.name} has all of its tools too (${tools.join(', ')})`;
    warn(['justification', 'buys'], `"${child.name}" claims scoped_tools, but ${all}`, `take them from ${agent.name}, or drop the claim`);
  }
  if (has('parallelism') && entry.concurrency === 1) {
    warn(
      ['concurrency'],
      `"${child.name}" claims parallelism, but at most 1 of its tasks runs at once`,
      'raise concurrency, or drop the claim',
    );
  }
  const [only] = tools;
  if (only !== undefined && tools.length === 1 && child.subagents.length === 0 && child.limits.turns === 1) {
    warn(
      ['agent'],
      `"${child.name}" has one tool and one turn: it is no more than that tool`,
      `list ${only} under tools of ${agent.name} and call it directly`,
    );
  }
  return problems;
}

/** A child needs a turn to call a tool and one to conclude; its share of what the caller has may hold less. */
function lintShares({ agent, entry, child, index }: Listing, { where }: LintSurroundings): Problem[] {
  const { concurrency } = entry;
  const share = (limit: number): number => Math.floor(limit / concurrency);
  const short = [
    { limit: 'turns', held: agent.limits.turns, each: share(agent.limits.turns - 1), needed: 2 },
    { limit: 'tool_calls', held: agent.limits.toolCalls, each: share(agent.limits.toolCalls - 1), needed: child.tools.length > 0 ? 1 : 0 },
    { limit: 'tokens', held: agent.limits.tokens, each: share(agent.limits.tokens), needed: child.limits.outputTokens },
  ];
  return short.flatMap(({ limit, held, each, needed }): Problem[] => {
    if (each >= needed) return [];
    const fact = `limits.${limit} of "${agent.name}" is ${held}: of ${concurrency} tasks of "${child.name}" at once each gets ${Math.max(0, each)}, and needs ${needed}`;
    const fix = `raise limits.${limit} of ${agent.name}, or lower concurrency`;
    return [{ where: where(agent, ['subagents', index, 'concurrency']), fact, fix, severity: 'warning' }];
  });
}

function lintOrchestrator(agent: AgentSpec, { toolNames, where }: LintSurroundings): Problem[] {
  const count = toolsInView(agent, ownTools(agent, toolNames));
  if (agent.subagents.length === 0 || count <= MOST_ORCHESTRATOR_TOOLS) return [];
  const fact = `"${agent.name}" delegates and has ${count} tools of its own, more than ${MOST_ORCHESTRATOR_TOOLS}`;
  const fix = 'keep those that it needs between delegations; the others belong to its subagents';
  return [{ where: where(agent, ['tools']), fact, fix, severity: 'warning' }];
}

/** Tools that a model brings by name when it needs them do not stand before it. */
function toolsInView({ loadTools }: AgentSpec, own: readonly string[]): number {
  if (loadTools === undefined || own.length <= loadTools.above) return own.length;
  return loadTools.always.length > 0 ? Math.min(own.length, loadTools.always.length) : 0;
}

/** A chain of subagents that is longer than `limits.depth` ends before its last one, whoever starts it. */
function lintDepth(agent: AgentSpec, byName: ReadonlyMap<string, AgentSpec>, { where }: LintSurroundings): Problem[] {
  const chain = longestChain(agent, byName, new Map());
  const { depth } = agent.limits;
  if (chain.length <= depth) return [];
  const [first] = chain;
  const index = agent.subagents.findIndex((entry) => entry.agent === first);
  const fact = `subagents nest ${chain.length} deep (${[agent.name, ...chain].join(' → ')}), but limits.depth of "${agent.name}" is ${depth}: "${chain[depth]}" is never called`;
  const fix = `set limits.depth to ${chain.length}, or take "${chain[depth]}" away`;
  return [{ where: where(agent, ['subagents', index, 'agent']), fact, fix, severity: 'warning' }];
}

/** Names below an agent, along the deepest way; an agent that is being looked at already (a circle) ends it. */
function longestChain(
  agent: AgentSpec,
  byName: ReadonlyMap<string, AgentSpec>,
  known: Map<string, readonly string[] | undefined>,
): readonly string[] {
  known.set(agent.name, undefined);
  let longest: readonly string[] = [];
  for (const entry of agent.subagents) {
    const child = byName.get(entry.agent);
    if (!child || (known.has(child.name) && known.get(child.name) === undefined)) continue;
    const chain = [child.name, ...(known.get(child.name) ?? longestChain(child, byName, known))];
    if (chain.length > longest.length) longest = chain;
  }
  known.set(agent.name, longest);
  return longest;
}

/** Words by which a description says when its agent is to be used. */
const SAYS_WHEN =
  /\b(use[ds]?\b|call (?:it|this)|delegate|when(?:ever)?\b|if\b|for (?:an?y?|each|every|many|one|all|long|large|questions?)\b|before|after|instead of)/i;

/** The description is all by which a caller's model chooses: it matters for agents that others may call. */
function lintDescriptions(agents: readonly AgentSpec[], { where }: LintSurroundings): Problem[] {
  const callers = new Map(agents.flatMap((agent) => agent.subagents.map((entry) => [entry.agent, agent.name] as const)));
  return agents.flatMap((agent): Problem[] => {
    const caller = callers.get(agent.name);
    if (caller === undefined || SAYS_WHEN.test(agent.description)) return [];
    const fact =
      agent.description === ''
        ? `"${agent.name}" has no description, and ${caller} chooses by it`
        : `the description of "${agent.name}" does not say when to use it, and ${caller} chooses by it`;
    const fix = 'say what it does and when, e.g. "Profiles one table. Use it when many tables have to be looked at."';
    return [{ where: where(agent, agent.description === '' ? ['name'] : ['description']), fact, fix, severity: 'warning' }];
  });
}

/** Its tools, and its subagents as the tools they are to it. */
function allTools(agent: AgentSpec, toolNames: readonly string[]): readonly string[] {
  return [...new Set([...ownTools(agent, toolNames), ...agent.subagents.map((entry) => subagentToolName(entry.agent))])];
}

function ownTools(agent: AgentSpec, toolNames: readonly string[]): readonly string[] {
  const named = agent.tools.flatMap((pattern) =>
    pattern.endsWith('*') ? toolNames.filter((name) => name.startsWith(pattern.slice(0, -1))) : [pattern],
  );
  return [...new Set(named)];
}
