import type { AgentSpec } from '../core/agent-spec.ts';
import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { AgentDraft } from './load-agents.ts';
import type { Path, Reference } from './yaml-document.ts';

const DRAFTS = new WeakMap<AgentSpec, AgentDraft>();

/** Keeps an agent's places for {@link checkAgents}. */
export function rememberDraft(spec: AgentSpec, draft: AgentDraft): void {
  DRAFTS.set(spec, draft);
}

/** `file:line:column` of the value at a path of an agent's file, of the nearest thing around it, or else the file alone. */
export function placeInAgent(agent: AgentSpec, path: Path): string {
  return DRAFTS.get(agent)?.document.where(path) ?? agent.file;
}

/**
 * What loaded agents name that does not exist among the tools, each at its line and column. Agents that did not come
 * from a file have no places and are skipped.
 */
export function checkAgents(agents: readonly AgentSpec[], toolNames: readonly string[]): Problem[] {
  return agents.flatMap((agent) => {
    const draft = DRAFTS.get(agent);
    return draft ? checkTools(draft, toolNames) : [];
  });
}

/** The same for one file, whether or not the rest of it is right. */
export function checkTools(draft: AgentDraft, toolNames: readonly string[]): Problem[] {
  const subagents = draft.subagents.map(({ agent }) => agent.text);
  const clashes = draft.subagents
    .filter(({ agent }) => toolNames.includes(agent.text))
    .map(({ agent }) => ({ where: agent.where, fact: `subagent "${agent.shown}" has the name of a tool`, fix: 'rename the agent' }));
  return [
    ...checkToolReferences(draft.tools, toolNames),
    ...checkToolReferences(draft.permissions, [...toolNames, ...subagents]),
    ...checkToolReferences(draft.alwaysOffered, ownTools(draft, toolNames)),
    ...clashes,
  ];
}

function ownTools(draft: AgentDraft, toolNames: readonly string[]): string[] {
  return toolNames.filter((name) => draft.tools.some(({ text }) => matches(text, name)));
}

/** Names, or patterns with a trailing `*`, that match no tool. */
export function checkToolReferences(references: readonly Reference[], toolNames: readonly string[]): Problem[] {
  return references.flatMap(({ text, shown, where }) => {
    if (text === '*' || toolNames.some((name) => matches(text, name))) return [];
    if (text.endsWith('*')) return [{ where, fact: `no tool matches "${shown}"`, fix: suggestName(text.slice(0, -1), toolNames) }];
    return [{ where, fact: `unknown tool "${shown}"`, fix: suggestName(text, toolNames) }];
  });
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

export interface KnownNames {
  /** Names under `models` of the project. */
  readonly models: readonly string[];
  readonly skills: readonly string[];
}

/** What is wrong between agent files: names given twice, subagents that do not exist or lack a reason, circles, unknown models and skills. */
export function checkAgentFiles(drafts: readonly AgentDraft[], known: KnownNames): Problem[] {
  const byName = new Map<string, AgentDraft>();
  const problems: Problem[] = [];
  for (const draft of drafts) {
    if (!draft.name) continue;
    const first = byName.get(draft.name.text);
    if (first) {
      const fact = `agent "${draft.name.shown}" is declared twice, first at ${first.name?.where}`;
      problems.push({ where: draft.name.where, fact, fix: 'rename one of them' });
    } else byName.set(draft.name.text, draft);
  }
  for (const draft of drafts) {
    problems.push(...checkSubagents(draft, byName));
    if (draft.model) problems.push(...checkModel(draft.model, known.models));
    for (const skill of draft.skills) {
      if (known.skills.includes(skill.text)) continue;
      problems.push({ where: skill.where, fact: `unknown skill "${skill.shown}"`, fix: suggestName(skill.text, known.skills) });
    }
  }
  return [...problems, ...findCircles(byName)];
}

function checkSubagents(draft: AgentDraft, byName: ReadonlyMap<string, AgentDraft>): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const { agent, where, hasJustification } of draft.subagents) {
    const target = byName.get(agent.text);
    if (!target) {
      const others = [...byName.keys()].filter((name) => name !== draft.name?.text);
      problems.push({ where: agent.where, fact: `unknown subagent "${agent.shown}"`, fix: suggestName(agent.text, others) });
    }
    if (seen.has(agent.text)) problems.push({ where: agent.where, fact: `subagent "${agent.shown}" is listed twice`, fix: 'keep one' });
    seen.add(agent.text);
    if (hasJustification || target?.hasJustification) continue;
    const fix = 'add justification: {buys: [...], because: ...}, or give this agent its tools instead';
    problems.push({ where, fact: `subagent "${agent.shown}" has no justification`, fix });
  }
  return problems;
}

const PROVIDERS = ['ollama', 'openai'];

/** A model is `auto`, `rules`, `<provider>/<name>`, or one of the project's names. */
export function checkModel({ text, shown, where }: Reference, names: readonly string[]): Problem[] {
  if (text === 'auto' || text === 'rules' || text === 'scripted' || names.includes(text)) return [];
  const [provider = '', ...rest] = text.split('/');
  if (PROVIDERS.includes(provider) && rest.join('/') !== '') return [];
  if (text.includes('/')) {
    const fix = rest.join('/') === '' ? `write ${provider}/<name>` : suggestName(provider, PROVIDERS);
    return [{ where, fact: `unknown model provider in "${shown}"`, fix }];
  }
  return [{ where, fact: `unknown model "${shown}"`, fix: `${suggestName(text, ['auto', 'rules', ...names])} or write ollama/<name>` }];
}

/** Each circle of subagents once, at the entry that closes it. */
function findCircles(byName: ReadonlyMap<string, AgentDraft>): Problem[] {
  const problems: Problem[] = [];
  const done = new Set<string>();
  const visit = (name: string, trail: readonly string[]): void => {
    for (const { agent } of byName.get(name)?.subagents ?? []) {
      const start = trail.indexOf(agent.text);
      if (start >= 0) {
        const circle = [...trail.slice(start), agent.text].join(' → ');
        problems.push({ where: agent.where, fact: `subagents go round in a circle: ${circle}`, fix: 'remove one of them' });
      } else if (!done.has(agent.text)) visit(agent.text, [...trail, agent.text]);
    }
    done.add(name);
  };
  for (const name of byName.keys()) if (!done.has(name)) visit(name, [name]);
  return problems;
}
