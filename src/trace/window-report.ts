import type { Message } from '../core/message.ts';
import type { ToolOffer } from '../core/model.ts';
import { estimateTokens } from '../core/usage.ts';

/** What the parts of a window are filed under, in the order in which they stand in a request. */
export const WINDOW_CATEGORIES = ['instructions', 'tool schemas', 'skills', 'notes', 'task', 'conversation', 'tool results'] as const;

export type WindowCategory = (typeof WINDOW_CATEGORIES)[number];

/** What stood in the window at one step, as `soloist trace show --step --json` prints it; a public shape. */
export interface WindowReport {
  readonly session: string;
  readonly agent: string;
  readonly path: string;
  readonly step: number;
  readonly categories: readonly WindowShare[];
  /** Our estimate of all of it. */
  readonly estimatedTokens: number;
  /** The prompt as the model counted it; absent where it did not, or where there was no model. */
  readonly countedTokens?: number;
  /** What could not be rebuilt, and why. */
  readonly gaps: readonly string[];
}

export interface WindowShare {
  readonly category: WindowCategory;
  /** An estimate: the model's own count shared out by length where it counted, else four characters a token. */
  readonly tokens: number;
  readonly items: readonly WindowItem[];
}

export interface WindowItem {
  readonly what: string;
  readonly tokens: number;
  readonly content: string;
}

/** A part before its tokens are known. */
export interface WindowPart {
  readonly category: WindowCategory;
  readonly what: string;
  readonly content: string;
}

/** The parts of the front of a request. */
export function frontParts({ system, tools }: { readonly system: string; readonly tools: readonly ToolOffer[] }): WindowPart[] {
  return [
    ...systemParts(system),
    ...tools.map((tool): WindowPart => ({ category: 'tool schemas', what: tool.name, content: JSON.stringify(tool) })),
  ];
}

const SKILL = /\n\nSkill ([\w-]+)\. When to use it: /;
const SOURCES =
  /\n\n(?:Sources of this project:|This project has no sources\.)(?![\s\S]*\n\n(?:Sources of this project:|This project has no sources\.))/;

/** Skills that the agent's file names stand between its rules and the list of sources (`src/app/system-prompt.ts`). */
function systemParts(system: string): WindowPart[] {
  const from = system.search(SKILL);
  const to = system.search(SOURCES);
  if (from < 0 || to < from) return [{ category: 'instructions', what: 'system prompt', content: system }];
  const skills = system.slice(from, to).split(/(?=\n\nSkill [\w-]+\. When to use it: )/);
  return [
    { category: 'instructions', what: 'system prompt', content: system.slice(0, from) + system.slice(to) },
    ...skills.map((content): WindowPart => ({ category: 'skills', what: SKILL.exec(content)?.[1] ?? 'skill', content })),
  ];
}

/** Begins a skill that memory chose for the question (`src/app/memory-background.ts`). */
const CHOSEN_SKILL = /A procedure of this project for such a question \(skill ([\w-]+)\):/;

/** The first message holds the task, and what memory brought with it. */
function taskParts(content: string, background: string | undefined): WindowPart[] {
  const at = background ? content.indexOf(background) : -1;
  if (background === undefined || at < 0) return [{ category: 'task', what: 'task', content }];
  const skillAt = background.search(CHOSEN_SKILL);
  const notes = skillAt < 0 ? background : background.slice(0, skillAt);
  const skill = skillAt < 0 ? '' : background.slice(skillAt);
  return [
    { category: 'task', what: 'task', content: content.slice(0, at) + content.slice(at + background.length) },
    ...(notes.trim() === '' ? [] : [{ category: 'notes' as const, what: 'background', content: notes }]),
    ...(skill === '' ? [] : [{ category: 'skills' as const, what: CHOSEN_SKILL.exec(skill)?.[1] ?? 'skill', content: skill }]),
  ];
}

/** The parts of a history; its first message is the task, with the background that it was given. */
export function historyParts(messages: readonly Message[], background?: string): WindowPart[] {
  return messages.flatMap((message, index): WindowPart | WindowPart[] => {
    if (message.role === 'tool') return { category: 'tool results', what: resultName(message), content: message.content };
    if (message.role === 'assistant') return { category: 'conversation', what: 'agent', content: replyText(message) };
    if (index === 0) return taskParts(message.content, background);
    return { category: 'conversation', what: message.role, content: message.content };
  });
}

function resultName({ content, toolName }: Extract<Message, { role: 'tool' }>): string {
  const id = /^\{"id":"([^"]+)"/.exec(content)?.[1];
  return id === undefined ? toolName : `${id} ${toolName}`;
}

function replyText({ content, thinking, toolCalls }: Extract<Message, { role: 'assistant' }>): string {
  const calls = toolCalls?.map(({ name, arguments: input }) => `${name} ${JSON.stringify(input)}`) ?? [];
  return [...(thinking ? [`(thought) ${thinking}`] : []), ...(content ? [content] : []), ...calls].join('\n');
}

export interface WindowFacts {
  readonly session: string;
  readonly agent: string;
  readonly path: string;
  readonly step: number;
  readonly countedTokens?: number | undefined;
  readonly gaps: readonly string[];
}

/** Files the parts by category and shares the tokens out among them. */
export function reportWindow(parts: readonly WindowPart[], { countedTokens, ...facts }: WindowFacts): WindowReport {
  const characters = parts.reduce((sum, { content }) => sum + content.length, 0);
  const perCharacter = countedTokens !== undefined && facts.gaps.length === 0 && characters > 0 ? countedTokens / characters : 1 / 4;
  const categories = WINDOW_CATEGORIES.map((category): WindowShare => {
    const own = parts.filter((part) => part.category === category);
    const items = own.map(({ what, content }) => ({ what, tokens: Math.ceil(content.length * perCharacter), content }));
    return { category, tokens: Math.ceil(own.reduce((sum, { content }) => sum + content.length, 0) * perCharacter), items };
  });
  return { ...facts, categories, estimatedTokens: estimateTokens(characters), ...(countedTokens === undefined ? {} : { countedTokens }) };
}
