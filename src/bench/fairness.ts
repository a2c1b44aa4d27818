import type { Variable } from './suite-spec.ts';

/** What a design brings to the comparison, its subagents included. */
export interface ArmFacts {
  readonly design: string;
  /** All tools of the tree, subagents as tools left out; sorted. */
  readonly tools: readonly string[];
  /** All models of the tree; sorted. */
  readonly models: readonly string[];
  readonly tokens: number;
  readonly seconds: number;
  readonly turns: number;
  readonly toolCalls: number;
}

/** One line of the account that every report shows. */
export interface FairnessLine {
  readonly what: string;
  readonly state: 'same' | 'differs on purpose' | 'differs';
  readonly detail: string;
}

const RULES: readonly { readonly variable: Variable; readonly what: string; readonly of: (arm: ArmFacts) => string }[] = [
  { variable: 'tools', what: 'tools in total', of: ({ tools }) => (tools.length === 0 ? 'none' : tools.join(', ')) },
  { variable: 'model', what: 'model', of: ({ models }) => models.join(', ') },
  { variable: 'budget', what: 'budget of tokens', of: ({ tokens }) => `${tokens} tokens` },
  {
    variable: 'budget',
    what: 'other limits',
    of: ({ turns, toolCalls, seconds }) => `${turns} turns, ${toolCalls} tool calls, ${seconds} s`,
  },
];

/** What is the same for all designs and what is not; a difference counts as meant only where the suite says so. */
export function accountFairness(arms: readonly ArmFacts[], varies: readonly Variable[]): readonly FairnessLine[] {
  return RULES.map(({ variable, what, of }) => {
    const values = new Map<string, string[]>();
    const { compared, without } = variable === 'model' ? withModel(arms) : { compared: arms, without: '' };
    for (const arm of compared) values.set(of(arm), [...(values.get(of(arm)) ?? []), arm.design]);
    if (values.size <= 1) return { what, state: 'same', detail: `${shorten([...values.keys()][0] ?? 'none')}${without}` };
    const detail =
      variable === 'tools' ? toolDifferences(arms) : [...values].map(([value, names]) => `${names.join(', ')}: ${value}`).join('; ');
    return { what, state: varies.includes(variable) ? 'differs on purpose' : 'differs', detail };
  });
}

/** Fixed rules are a baseline without a model, which is not compared with those that have one. */
function withModel(arms: readonly ArmFacts[]): { readonly compared: readonly ArmFacts[]; readonly without: string } {
  const isRules = ({ models }: ArmFacts): boolean => models.length === 1 && models[0] === 'rules';
  const compared = arms.filter((arm) => !isRules(arm));
  if (compared.length === 0 || compared.length === arms.length) return { compared: arms, without: '' };
  const names = arms.filter(isRules).map(({ design }) => design);
  return { compared, without: `; without a model: ${names.join(', ')}` };
}

/** The lines that stop a suite. */
export function unfairLines(lines: readonly FairnessLine[]): readonly FairnessLine[] {
  return lines.filter(({ state }) => state === 'differs');
}

/** What each design has that not all have, and how many it has in all. */
function toolDifferences(arms: readonly ArmFacts[]): string {
  const shared = new Set(arms[0]?.tools.filter((tool) => arms.every(({ tools }) => tools.includes(tool))));
  return arms
    .map(({ design, tools }) => {
      const own = tools.filter((tool) => !shared.has(tool));
      return `${design}: ${tools.length}${own.length > 0 ? ` (${shorten(own.join(', '))})` : ''}`;
    })
    .join('; ');
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
