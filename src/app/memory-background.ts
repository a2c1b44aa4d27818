import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { MemoryEventBody, RecalledLine } from '../core/memory-event.ts';
import type { Recalled, RecallHit } from '../core/recall.ts';
import type { Skill } from '../core/skill.ts';
import { estimateTokens } from '../core/usage.ts';
import { chooseSkill } from '../memory/choose-skill.ts';
import { renderRecalled } from '../memory/render-recalled.ts';
import type { ProjectMemory } from './memory-project.ts';
import { answersForQuestions } from './memory-questions.ts';
import { memorySettingsOf } from './memory-settings.ts';
import type { Workspace } from './workspace.ts';

/** The project's profile notes: written by people, with `soloist memory edit NOTES.md`. */
export const PROFILE_FILE = 'NOTES.md';
const PROFILE_CHARACTERS = 4_000;
const MOST_TOKENS = 1_024;
const MOST_HITS = 8;

export interface BackgroundRequest {
  readonly workspace: Workspace;
  /** Absent where no agent of the session uses one, or it cannot be used. */
  readonly memory: ProjectMemory | undefined;
  readonly agent: AgentSpec;
  readonly question: string;
  readonly session: string;
  readonly now: () => Date;
}

/** What enters the window before the first turn, and the event that says so. */
export interface Background {
  readonly text: string;
  readonly event: Extract<MemoryEventBody, { type: 'memory.recalled' }>;
}

/** Recalls for a question: notes and log, the project's profile notes, and a skill where the question calls for one. */
export async function recallBackground(request: BackgroundRequest): Promise<Background> {
  const { workspace, agent, question, now } = request;
  const { memory } = request;
  const found = memory && (await recallFor(request, memory));
  const recalled = memory && found ? answersForQuestions(memory, found.hits, { question, now: now().getTime() }) : [];
  const hits = withinBudget(recalled, budgetOf(agent));
  const skill = agent.skills.length > 0 ? undefined : chooseSkill(question, workspace.project.skills);
  const profile = readProfile(workspace.project.folder, workspace.project.file !== undefined);
  const parts = [
    textOf(hits),
    profile ? `Notes that people keep on this project (${PROFILE_FILE}), as background:\n${quote(profile)}` : '',
    skill ? skillText(skill) : '',
  ].filter((part) => part !== '');
  const cost = found?.cost;
  return {
    text: parts.join('\n\n'),
    event: {
      type: 'memory.recalled',
      mode: found?.mode ?? 'off',
      hits: hits.map(lineOf),
      skills: skill ? [skill.name] : [],
      notices: found?.notices ?? [],
      tokens: estimateTokens(textOf(hits)),
      milliseconds: Math.round(cost?.milliseconds ?? 0),
      embeddingTokens: cost?.embeddingTokens ?? 0,
      embeddingCalls: cost?.embeddingCalls ?? 0,
      ...(cost?.money === undefined ? {} : { cost: cost.money }),
    },
  };
  function recallFor({ session }: BackgroundRequest, memory: ProjectMemory): Promise<Recalled> | undefined {
    const settings = memorySettingsOf(workspace.project.memory, agent);
    if (!settings.recall) return undefined;
    return memory.recall(question, {
      now: now().getTime(),
      budgetTokens: budgetOf(agent),
      limit: MOST_HITS,
      shortLines: true,
      exceptSession: session,
      ...(settings.scope === 'agent' ? { agent: agent.name } : {}),
    });
  }
}

/** What recall may take of the window, with what stands around the lines. */
function budgetOf({ limits }: AgentSpec): number {
  return Math.min(MOST_TOKENS, Math.floor(limits.contextTokens / 16));
}

function textOf(hits: readonly RecallHit[]): string {
  return hits.length === 0 ? '' : `${renderRecalled(hits)}\n${NO_EVIDENCE}`;
}

/** The best of them that fit, whole: the last ones go first. */
function withinBudget(hits: readonly RecallHit[], budget: number): readonly RecallHit[] {
  const kept = [...hits];
  while (kept.length > 0 && estimateTokens(textOf(kept)) > budget) kept.pop();
  return kept;
}

const NO_EVIDENCE = 'None of this is evidence: cite the result of the tool that verifies it.';

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function skillText({ name, text }: Skill): string {
  return `A procedure of this project for such a question (skill ${name}):\n\n${text}`;
}

function lineOf({ source, id, key, text, age, why }: RecallHit): RecalledLine {
  return { source, id, ...(key === undefined ? {} : { key }), text, age, why: why.because };
}

/** Only a folder that says it is a project has its notes read. */
function readProfile(folder: string, isProject: boolean): string | undefined {
  const file = join(folder, PROFILE_FILE);
  if (!isProject || !existsSync(file) || !statSync(file).isFile()) return undefined;
  const text = readFileSync(file, 'utf8').trim();
  return text.length <= PROFILE_CHARACTERS
    ? text
    : `${text.slice(0, PROFILE_CHARACTERS)} … (${text.length - PROFILE_CHARACTERS} more characters)`;
}
