import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '../../src/core/scope.ts';
import { estimateTokens } from '../../src/core/usage.ts';
import { recall } from '../../src/memory/recall.ts';
import { renderRecalled } from '../../src/memory/render-recalled.ts';
import { loadSet } from './load-set.ts';
import { makeFixture } from './make-fixture.ts';
import { meanOf } from './measures.ts';
import { parseQuestionSet, type QuestionSet } from './question-set.ts';

/** As a run recalls before its first turn. */
const AS_IN_A_RUN = { budgetTokens: 1024, limit: 8, shortLines: true } as const;
const DAY_MS = 86_400_000;

export interface CostRow {
  readonly sessions: number;
  readonly replay: number;
  readonly recall: number;
  readonly notes: number;
}

/** Sessions of fixtures with different seeds, one after the other, until there are enough. */
function sessionsOf(count: number): QuestionSet {
  const parts = Array.from({ length: Math.ceil(count / 60) }, (_, seed) => parseQuestionSet(makeFixture(seed + 1)));
  const shifted = parts.flatMap(({ sessions }, part) =>
    sessions.map((session) => ({
      ...session,
      id: `${part}-${session.id}`,
      at: session.at + part * 200 * DAY_MS,
      turns: session.turns.map((turn) => ({ ...turn, id: `${part}-${turn.id}` })),
    })),
  );
  const sessions = shifted.slice(0, count);
  const told = new Set(sessions.flatMap(({ turns }) => turns.map(({ id }) => id)));
  const facts = parts.flatMap((set, part) =>
    set.facts.map((fact) => ({
      ...fact,
      id: `${part}-${fact.id}`,
      at: fact.at + part * 200 * DAY_MS,
      turns: fact.turns.map((turn) => `${part}-${turn}`),
    })),
  );
  const kept = facts.filter(({ turns }) => turns.every((turn) => told.has(turn)));
  return {
    name: `${count} sessions`,
    sessions,
    facts: kept.map((fact) => ({ ...fact, verdict: fact.multiValued ? 'new' : 'update' })),
    questions: parts[0]?.questions ?? [],
  };
}

/** What memory costs a turn after so many sessions: all transcripts in front of it, and what recall adds on average. */
export async function costOf(count: number): Promise<CostRow> {
  const set = sessionsOf(count);
  const folder = mkdtempSync(join(tmpdir(), 'soloist-cost-'));
  try {
    const { memory } = await loadSet(set, folder);
    const replay = set.sessions.flatMap(({ turns }) => turns).reduce((sum, { text }) => sum + estimateTokens(text), 0);
    const tokens: number[] = [];
    for (const { question, answerable } of set.questions.filter((_, place) => place % 4 === 0)) {
      if (!answerable) continue;
      const { hits } = await recall(question, {
        memory,
        scope: new Scope(),
        now: Math.max(...set.sessions.map(({ at }) => at)),
        ...AS_IN_A_RUN,
      });
      tokens.push(estimateTokens(renderRecalled(hits)));
    }
    const notes = memory.notes.list({ statuses: ['current'] }).length;
    memory.close();
    return { sessions: count, replay, recall: Math.round(meanOf(tokens)), notes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One row of the page's table. */
export function renderCost({ sessions, notes, replay, recall: recalled }: CostRow): string {
  const share = ((recalled / replay) * 100).toFixed(1);
  return `| ${sessions} | ${notes} | ${replay.toLocaleString('en')} | ${recalled.toLocaleString('en')} | ${share} % |`;
}
