/** Ends a run when reached; the agent then gets one last turn without tools. */
export interface Limits {
  readonly turns: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly toolCalls: number;
  /** How deep subagents may nest; 1 unless raised. */
  readonly depth: number;
  /** The most tokens of the model's window to use. */
  readonly contextTokens: number;
  readonly outputTokens: number;
  /** Tool calls of one turn that may run at once. */
  readonly parallelCalls: number;
}

export const DEFAULT_LIMITS: Limits = {
  turns: 40,
  tokens: 400_000,
  seconds: 900,
  toolCalls: 200,
  depth: 1,
  contextTokens: 16_384,
  outputTokens: 2_048,
  parallelCalls: 8,
};

/** Lists of tool names (a trailing `*` matches any end); deny is looked at first, then ask, then allow. */
export interface Permissions {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export type Buys = 'multi_step_reasoning' | 'parallelism' | 'scoped_tools' | 'context_isolation';

/** What a subagent buys, and why that is so here. */
export interface Justification {
  readonly buys: readonly Buys[];
  readonly because: string;
}

export interface SubagentSpec {
  readonly agent: string;
  readonly justification: Justification;
  readonly concurrency: number;
}

/** When an agent has more tools than `above`, its model sees these in full, and names and a line each of the others. */
export interface LoadTools {
  readonly above: number;
  /** Tools that are always there; a trailing `*` matches any end. The first eight of the file unless set. */
  readonly always: readonly string[];
}

export const DEFAULT_LOAD_TOOLS: LoadTools = { above: 24, always: [] };

/** An agent as one YAML file declares it, validated, with defaults filled in. */
export interface AgentSpec {
  readonly name: string;
  readonly description: string;
  /** `auto`, `rules`, `ollama/<name>`, `openai/<name>`, or a name from `models` of the project. */
  readonly model: string;
  readonly instructions: string;
  readonly tools: readonly string[];
  /** The defaults unless set. */
  readonly loadTools?: LoadTools;
  readonly subagents: readonly SubagentSpec[];
  readonly limits: Limits;
  readonly permissions: Permissions;
  readonly skills: readonly string[];
  /** What this agent buys wherever it is listed as a subagent without a justification of its own. */
  readonly justification?: Justification;
  /** What differs from the project's memory settings. */
  readonly memory?: { readonly recall?: boolean; readonly write?: boolean; readonly scope?: 'project' | 'agent' };
  /** Whether figures that no tool result holds go back to the model once and are marked (`strict`), are told (`report`), or are not looked for. */
  readonly grounding?: 'strict' | 'report' | 'off';
  /** A critic that checks the answer: which model, at most how many rounds, and whether only after calls with effects. */
  readonly reflect?: { readonly model?: string; readonly max: number; readonly when: 'writes' | 'always' };
  /** Whether requests of several steps get a short plan first. */
  readonly plan?: boolean;
  /** JSON Schema that the conclusion must meet, if any. */
  readonly returns?: Readonly<Record<string, unknown>>;
  /** Absolute path of the YAML file. */
  readonly file: string;
}
