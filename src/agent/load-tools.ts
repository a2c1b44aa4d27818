import { z } from 'zod';
import type { LoadTools } from '../core/agent-spec.ts';
import type { ChatModel, ToolOffer } from '../core/model.ts';
import { suggestName } from '../core/nearest.ts';
import { defineTool, type Tool } from '../core/tool.ts';
import { complete, refused } from '../core/tool-result.ts';

export const LOAD_TOOLS = 'load_tools';

/** Where the file does not say which tools are always there: its first ones. */
const FIRST = 8;

/** The tools of an agent that has more than a model chooses well among. */
export interface Shelf {
  /** What stands in every request: those that are always there, `load_tools`, and what it has brought so far. */
  readonly offered: (loaded: readonly string[]) => readonly Tool[];
  readonly tool: Tool;
}

/**
 * Puts tools on a shelf: the model sees names and a line each, and brings what it needs. Nothing when the agent has no
 * more than its threshold.
 *
 * @param never tools that are not put there, whatever the agent's file says
 */
export function shelve(tools: ReadonlyMap<string, Tool>, { above, always }: LoadTools, never: readonly string[]): Shelf | undefined {
  const names = [...tools.keys()];
  if (names.length <= above) return undefined;
  const listed = always.length > 0 ? names.filter((name) => always.some((pattern) => matches(name, pattern))) : names.slice(0, FIRST);
  const kept = [...new Set([...listed, ...never])];
  const shelved = names.filter((name) => !kept.includes(name));
  if (shelved.length === 0) return undefined;
  const tool = createLoadTools(shelved.flatMap((name) => tools.get(name) ?? []));
  const take = (wanted: readonly string[]): Tool[] => wanted.flatMap((name) => tools.get(name) ?? []);
  return { tool, offered: (loaded) => [...take(kept), tool, ...take(loaded.filter((name) => !kept.includes(name)))] };
}

/** What stands in front of every request: all tools, or those off the shelf. Fixed rules choose among any number. */
export function offeredTools(
  { tools, shelf }: { readonly tools: ReadonlyMap<string, Tool>; readonly shelf?: Shelf | undefined },
  model: ChatModel,
  loaded: readonly string[],
): readonly Tool[] {
  if (shelf && model.kind !== 'rules') return shelf.offered(loaded);
  return [...tools.values()].filter((tool) => tool !== shelf?.tool);
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function createLoadTools(shelved: readonly Tool[]): Tool {
  const names = shelved.map(({ name }) => name);
  const list = shelved.map((tool) => `- ${tool.name}: ${firstSentence(tool)}`).join('\n');
  return defineTool({
    name: LOAD_TOOLS,
    description: `Brings more tools, by name; they can be called from your next turn on. There are:\n${list}`,
    input: z.object({ names: z.array(z.string()).min(1).max(20).describe('Names from the list') }),
    output: z.object({ loaded: z.array(z.string()) }),
    effect: 'read',
    async run({ names: asked }) {
      const unknown = asked.filter((name) => !names.includes(name));
      const loaded = [...new Set(asked.filter((name) => names.includes(name)))];
      const hint = unknown.map((name) => `there is no tool "${name}" to load; ${suggestName(name, names)}`);
      if (loaded.length === 0) return refused('unknown_tool', hint.join('; '));
      return complete({ loaded }, { warnings: hint.map((message) => ({ code: 'unknown_tool', message })) });
    },
  });
}

function firstSentence({ description }: Pick<ToolOffer, 'description'>): string {
  const end = description.search(/[.:](\s|$)/);
  const line = (end < 0 ? description : description.slice(0, end)).replace(/\s+/g, ' ');
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}
