import type { z } from 'zod';
import {
  type AgentSpec,
  DEFAULT_LIMITS,
  DEFAULT_LOAD_TOOLS,
  type Justification,
  type Limits,
  type SubagentSpec,
} from '../core/agent-spec.ts';
import type { Problem } from '../core/errors.ts';
import { AGENT_SYNONYMS, agentSchema, isLiteralInAgent, keepsEmptyInAgent } from './agent-schema.ts';
import { readYaml } from './read-yaml.ts';
import { schemaProblems } from './schema-problems.ts';
import { type Reference, referenceAt, referencesAt, type YamlDocument } from './yaml-document.ts';

/** What an agent file names, with places, so far as it could be read; there even when the file has other mistakes. */
export interface AgentDraft {
  readonly document: YamlDocument;
  readonly name: Reference | undefined;
  readonly model: Reference | undefined;
  readonly tools: readonly Reference[];
  readonly permissions: readonly Reference[];
  readonly alwaysOffered: readonly Reference[];
  readonly skills: readonly Reference[];
  readonly subagents: readonly SubagentDraft[];
  readonly hasJustification: boolean;
  /** True for an agent that ships with the package. */
  readonly shipped: boolean;
  /** Absent when the file does not meet the schema. */
  readonly spec?: AgentSpec;
}

interface SubagentDraft {
  readonly agent: Reference;
  readonly where: string;
  readonly hasJustification: boolean;
}

export interface AgentFile {
  readonly file: string;
  readonly label: string;
  readonly shipped: boolean;
}

/** Reads one agent file; what it names is checked later, when all files are known. */
export async function loadAgent(
  { file, label, shipped }: AgentFile,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly draft?: AgentDraft; readonly problems: readonly Problem[] }> {
  const synonymsAtTop = (path: readonly unknown[]) => (path.length === 0 ? AGENT_SYNONYMS : undefined);
  const { document, problems } = await readYaml(file, label, {
    environment,
    isLiteral: isLiteralInAgent,
    keepsEmpty: keepsEmptyInAgent,
    synonyms: synonymsAtTop,
  });
  if (!document) return { problems };
  const parsed = agentSchema.safeParse(document.value);
  const draft = draftOf(document, shipped);
  if (!parsed.success) return { draft, problems: [...problems, ...schemaProblems(agentSchema, parsed.error, document)] };
  return { draft: { ...draft, spec: specOf(parsed.data, file) }, problems };
}

function draftOf(document: YamlDocument, shipped: boolean): AgentDraft {
  return {
    document,
    name: referenceAt(document, ['name']),
    model: referenceAt(document, ['model']),
    tools: referencesAt(document, ['tools']),
    permissions: (['allow', 'ask', 'deny'] as const).flatMap((list) => referencesAt(document, ['permissions', list])),
    alwaysOffered: referencesAt(document, ['load_tools', 'always']),
    skills: [...referencesAt(document, ['skills']), ...referencesAt(document, ['memory', 'skills'])],
    subagents: subagentDrafts(document),
    hasJustification: document.value.justification !== undefined,
    shipped,
  };
}

function subagentDrafts(document: YamlDocument): SubagentDraft[] {
  const { subagents } = document.value;
  if (!Array.isArray(subagents)) return [];
  return subagents.flatMap((entry: unknown, index) => {
    const agent = referenceAt(document, ['subagents', index, 'agent']);
    if (!agent) return [];
    const hasJustification = (entry as { justification?: unknown }).justification !== undefined;
    return [{ agent, where: document.where(['subagents', index]), hasJustification }];
  });
}

type AgentYaml = z.output<typeof agentSchema>;

function specOf(yaml: AgentYaml, file: string): AgentSpec {
  const { allow = [], ask = [], deny = [] } = yaml.permissions ?? {};
  const { skills: memorySkills, ...memory } = yaml.memory ?? {};
  return {
    name: yaml.name,
    description: yaml.description?.trim() ?? '',
    model: yaml.model ?? 'auto',
    instructions: yaml.instructions,
    tools: yaml.tools ?? [],
    // A subagent that lacks a justification gets its own file's, or is refused, once all files are known.
    subagents: (yaml.subagents ?? []).map(
      (entry): SubagentSpec => ({
        agent: entry.agent,
        justification: (entry.justification as Justification | undefined) ?? { buys: [], because: '' },
        concurrency: entry.concurrency ?? 4,
      }),
    ),
    loadTools: {
      above: yaml.load_tools?.above ?? DEFAULT_LOAD_TOOLS.above,
      always: yaml.load_tools?.always ?? DEFAULT_LOAD_TOOLS.always,
    },
    limits: limitsOf(yaml.limits),
    permissions: { allow, ask, deny },
    skills: [...new Set([...(yaml.skills ?? []), ...(memorySkills ?? [])])],
    ...(yaml.justification ? { justification: yaml.justification as Justification } : {}),
    ...(yaml.memory ? { memory: withoutUndefined(memory) } : {}),
    ...(yaml.reflect
      ? { reflect: { ...withoutUndefined(yaml.reflect), max: yaml.reflect.max ?? 1, when: yaml.reflect.when ?? 'writes' } }
      : {}),
    ...(yaml.plan === undefined ? {} : { plan: yaml.plan }),
    ...(yaml.grounding ? { grounding: yaml.grounding } : {}),
    ...(yaml.returns ? { returns: yaml.returns } : {}),
    file,
  };
}

function limitsOf(yaml: AgentYaml['limits']): Limits {
  return {
    turns: yaml?.turns ?? DEFAULT_LIMITS.turns,
    tokens: yaml?.tokens ?? DEFAULT_LIMITS.tokens,
    seconds: yaml?.seconds ?? DEFAULT_LIMITS.seconds,
    toolCalls: yaml?.tool_calls ?? DEFAULT_LIMITS.toolCalls,
    depth: yaml?.depth ?? DEFAULT_LIMITS.depth,
    contextTokens: yaml?.context ?? DEFAULT_LIMITS.contextTokens,
    outputTokens: yaml?.output ?? DEFAULT_LIMITS.outputTokens,
    parallelCalls: yaml?.parallel ?? DEFAULT_LIMITS.parallelCalls,
  };
}

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** The same keys without those that hold nothing. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Defined<T>;
}
