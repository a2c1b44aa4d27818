/** What the designs of a suite may differ in on purpose; anything else that differs stops the suite. */
export const VARIABLES = ['model', 'tools', 'budget'] as const;
export type Variable = (typeof VARIABLES)[number];

/** A suite as its file declares it, with defaults filled in. Paths are absolute. */
export interface SuiteSpec {
  readonly name: string;
  /** What it tests. */
  readonly about: string;
  /** The published claim it bears on. */
  readonly claim: string;
  readonly file: string;
  readonly folder: string;
  /** The project whose agents, tools and models are used; the suite's own folder unless it says so. */
  readonly project: string | undefined;
  readonly model: string;
  /** Names the design that the others are compared with. */
  readonly baseline: string;
  readonly varies: readonly Variable[];
  readonly designs: readonly DesignSpec[];
  readonly cases: readonly CaseSpec[];
  readonly repeat: number;
  readonly seeds: readonly number[];
  readonly budget: BudgetSpec;
  readonly simulate: SimulatedSpeed;
  readonly price: PriceSpec | undefined;
  /** What `x` of a case counts; names the axis of the plots. */
  readonly axis: string | undefined;
  /** The model that answers the `judge` checks. */
  readonly judge: string | undefined;
}

export interface DesignSpec {
  readonly name: string;
  readonly about: string;
  /** Name of an agent of the project. */
  readonly agent: string;
  readonly model: string | undefined;
  readonly tools: readonly string[] | undefined;
  readonly instructions: string | undefined;
  readonly skills: readonly string[] | undefined;
  /** Text that every task of this design ends with. */
  readonly appends: string | undefined;
  /** Whether the sessions that the generator answers as `history` are in memory. */
  readonly memory: boolean;
  readonly limits: BudgetSpec;
}

/** Absent: what the agent's file says. */
export interface BudgetSpec {
  readonly turns?: number;
  readonly tokens?: number;
  readonly seconds?: number;
  readonly toolCalls?: number;
  readonly contextTokens?: number;
  readonly outputTokens?: number;
}

/** Price of a million tokens, in any one currency. */
export interface PriceSpec {
  readonly input: number;
  readonly output: number;
  /** Of those read from the prompt cache; `input` unless given. */
  readonly cached?: number;
}

/** How fast the model server is taken to be where no model was called. */
export interface SimulatedSpeed {
  readonly promptTokensPerSecond: number;
  readonly outputTokensPerSecond: number;
  /** Replies that the server makes at once; none slows another down. */
  readonly slots: number;
  /** What every tool call is taken to last. */
  readonly toolMs: number;
  /** Tool calls of one turn that run at once. */
  readonly toolsAtOnce: number;
  /** `prefix`: what a conversation has sent or got before is not read again. `none`: every prompt is read whole. */
  readonly cache: 'prefix' | 'none';
}

export interface CaseSpec {
  readonly id: string;
  readonly task: string;
  /** As `--source` takes them; paths are relative to the made data, else to the suite. */
  readonly sources: readonly string[];
  readonly setup: SetupSpec | undefined;
  readonly tags: readonly string[];
  /** Where the case stands on the suite's axis. */
  readonly x: number | undefined;
  readonly expect: readonly CheckSpec[];
}

/** A module whose `generate` makes the data of a case from a seed. */
export interface SetupSpec {
  readonly generator: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type CheckedText = 'answer' | 'findings' | 'report';

/** One thing that an answer has to meet. Texts may hold `{{name}}`, filled in with what the generator answered. */
export type CheckSpec = { readonly label: string; readonly within: CheckedText } & (
  | { readonly kind: 'contains'; readonly texts: readonly string[]; readonly ignoreCase: boolean }
  | { readonly kind: 'any_of'; readonly texts: readonly string[]; readonly ignoreCase: boolean }
  | { readonly kind: 'must_not'; readonly texts: readonly string[]; readonly ignoreCase: boolean }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: string }
  | { readonly kind: 'json'; readonly path: string; readonly equals: unknown; readonly tolerance: number }
  | {
      readonly kind: 'number';
      readonly value: string | number;
      readonly tolerance: number;
      readonly percent: number;
      /** A pattern right before or after which the figure stands, in the same sentence; anywhere when absent. */
      readonly near: string | undefined;
    }
  | { readonly kind: 'set'; readonly items: string | readonly string[]; readonly pattern: string }
  | { readonly kind: 'grounded' }
  | { readonly kind: 'function'; readonly file: string; readonly parameters: Readonly<Record<string, unknown>> }
  | { readonly kind: 'judge'; readonly question: string }
);
