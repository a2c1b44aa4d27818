import type { EmbeddingModel } from '../../src/core/embedding-model.ts';
import { SoloistError } from '../../src/core/errors.ts';
import type { Recalled, RecallHit, RecallOptions } from '../../src/core/recall.ts';
import { Scope } from '../../src/core/scope.ts';
import { estimateTokens } from '../../src/core/usage.ts';
import { indexVectors } from '../../src/memory/index-vectors.ts';
import { recall } from '../../src/memory/recall.ts';
import { type LoadedSet, loadSet, placeName } from './load-set.ts';
import { covered, meanOf, percentile, type Quality, qualityOf } from './measures.ts';
import { type PlainHit, plainSearch } from './plain-search.ts';
import type { QuestionSet } from './question-set.ts';

const BUDGETS = [256, 1024] as const;
const NO_LIMIT = 1_000_000;

/** Means over the answerable questions. */
export interface ArmResult extends Quality {
  readonly arm: string;
  /** Share of the evidence in what fits into so many tokens, with and without the floor. */
  readonly covered256?: number;
  readonly covered1024?: number;
  readonly covered256Floored?: number;
  readonly covered1024Floored?: number;
}

export interface SetResult {
  readonly name: string;
  readonly sessions: number;
  readonly turns: number;
  readonly facts: number;
  readonly questions: number;
  readonly unanswerable: number;
  readonly arms: readonly ArmResult[];
  /** Questions with a superseded fact, and how often it or a text that says it came first unmarked. */
  readonly staleFirst: { readonly of: number; readonly times: number };
  readonly conflictsShown: { readonly of: number; readonly times: number };
  /** Unanswerable questions for which no note, and nothing at all, stood above the floor. */
  readonly abstained: { readonly of: number; readonly notes: number; readonly everything: number };
  readonly milliseconds: { readonly p50: number; readonly p95: number };
  readonly mode: string;
  readonly notices: readonly string[];
  readonly weight?: number;
}

type Ask = (question: QuestionSet['questions'][number], options?: Partial<RecallOptions>) => Promise<Recalled>;

export async function evaluateSet(
  set: QuestionSet,
  options: { folder: string; embedding: EmbeddingModel | undefined },
): Promise<SetResult> {
  const { folder, embedding } = options;
  const loaded = await loadSet(set, folder);
  const scope = new Scope();
  const latest = [...set.sessions, ...set.facts].reduce((most, { at }) => Math.max(most, at), 0);
  const built =
    embedding && set.facts.length > 0 ? await indexVectors({ memory: loaded.memory, embedding, scope, now: latest }) : undefined;
  if (built && !built.ok) {
    loaded.memory.close();
    throw new SoloistError('dependency_missing', `${embedding?.id} gave no vectors: ${built.failure.message}`, {
      fix: 'start its server, or leave --embedding out',
    });
  }
  const ask: Ask = (question, more = {}) =>
    recall(question.question, {
      ...{ memory: loaded.memory, scope, now: question.at ?? latest, budgetTokens: NO_LIMIT, floor: false },
      ...(embedding ? { embedding } : {}),
      ...more,
    });
  const answerable = set.questions.filter(({ answerable, turns }) => answerable && turns.length > 0);
  const unanswerable = set.questions.filter((question) => !question.answerable);
  const arms = [
    plainArm('plain FTS5, turns', set, answerable, false),
    ...(set.facts.length > 0 ? [plainArm('plain FTS5, turns and facts', set, answerable, true)] : []),
    // Without facts there is nothing to fuse: the last arm is the log alone.
    ...(set.facts.length > 0 ? [await recallArm('log alone', { ask, loaded, questions: answerable, more: { sources: 'log' } })] : []),
    ...(set.facts.length > 0 ? [await recallArm('notes alone', { ask, loaded, questions: answerable, more: { sources: 'notes' } })] : []),
    ...(set.facts.length > 0 ? [await recallArm('even split', { ask, loaded, questions: answerable, more: { split: 'even' } })] : []),
    await recallArm(set.facts.length > 0 ? 'fused' : 'log alone', { ask, loaded, questions: answerable, more: {} }),
  ];
  const example = await ask(set.questions[0] as QuestionSet['questions'][number]);
  const times: number[] = [];
  for (const question of set.questions) times.push((await ask(question, { budgetTokens: 1024, floor: true })).cost.milliseconds);
  const result: SetResult = {
    ...{ name: set.name, sessions: set.sessions.length, facts: set.facts.length, questions: set.questions.length },
    turns: set.sessions.reduce((sum, { turns }) => sum + turns.length, 0),
    unanswerable: unanswerable.length,
    arms,
    staleFirst: await staleFirst(answerable, ask, loaded, set),
    conflictsShown: await conflictsShown(answerable, ask, loaded),
    abstained: await abstained(unanswerable, ask),
    milliseconds: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
    mode: example.mode,
    notices: example.notices,
    ...(built ? { weight: built.settings.weight } : {}),
  };
  loaded.memory.close();
  return result;
}

function plainArm(arm: string, set: QuestionSet, questions: QuestionSet['questions'], withFacts: boolean): ArmResult {
  const search = plainSearch(set, withFacts);
  const found = questions.map(({ question, turns }) => ({ hits: search(question), turns }));
  const coverage = (budget: number): number => meanOf(found.map(({ hits, turns }) => covered(within(hits, budget), turns)));
  return {
    arm,
    ...meanQuality(
      found.map(({ hits, turns }) =>
        qualityOf(
          hits.map((hit) => hit.turns),
          turns,
        ),
      ),
    ),
    covered256: coverage(BUDGETS[0]),
    covered1024: coverage(BUDGETS[1]),
  };
}

/** Whole texts, best first, as many as the budget holds. */
function within(hits: readonly PlainHit[], budget: number): readonly (readonly string[])[] {
  let left = budget;
  return hits.flatMap(({ turns, text }) => {
    const cost = estimateTokens(text);
    if (cost > left) return [];
    left -= cost;
    return [turns];
  });
}

interface RecallArm {
  readonly ask: Ask;
  readonly loaded: LoadedSet;
  readonly questions: QuestionSet['questions'];
  readonly more: Partial<RecallOptions>;
}

async function recallArm(arm: string, { ask, loaded, questions, more }: RecallArm): Promise<ArmResult> {
  const qualities: Quality[] = [];
  const coverage: Record<string, number[]> = {};
  for (const question of questions) {
    const all = await ask(question, more);
    qualities.push(
      qualityOf(
        all.hits.map((hit) => turnsOf(hit, loaded)),
        question.turns,
      ),
    );
    for (const budgetTokens of BUDGETS)
      for (const floor of [false, true]) {
        const packed = await ask(question, { ...more, budgetTokens, floor });
        const name = `covered${budgetTokens}${floor ? 'Floored' : ''}`;
        coverage[name] = [
          ...(coverage[name] ?? []),
          covered(
            packed.hits.map((hit) => turnsOf(hit, loaded)),
            question.turns,
          ),
        ];
      }
  }
  const means = Object.fromEntries(Object.entries(coverage).map(([name, values]) => [name, meanOf(values)]));
  return { arm, ...meanQuality(qualities), ...means };
}

function meanQuality(qualities: readonly Quality[]): Quality {
  const mean = (name: keyof Quality): number => meanOf(qualities.map((quality) => quality[name]));
  return { ndcg10: mean('ndcg10'), recall5: mean('recall5'), recall10: mean('recall10'), recall20: mean('recall20') };
}

function turnsOf({ places }: RecallHit, { turnAt }: LoadedSet): readonly string[] {
  return places.flatMap((place) => turnAt.get(placeName(place)) ?? []);
}

async function staleFirst(
  questions: QuestionSet['questions'],
  ask: Ask,
  loaded: LoadedSet,
  set: QuestionSet,
): Promise<{ of: number; times: number }> {
  const asked = questions.filter(({ stale }) => stale.length > 0);
  let times = 0;
  for (const question of asked) {
    const ids = new Set(question.stale.map((fact) => loaded.noteOf.get(fact)));
    const turns = new Set(set.facts.filter(({ id }) => question.stale.includes(id)).flatMap((fact) => fact.turns));
    for (const floor of [true, false]) {
      const [first] = (await ask(question, { floor })).hits;
      if (!first || first.supersededBy) continue;
      if (ids.has(first.id) || (first.source === 'log' && turnsOf(first, loaded).some((turn) => turns.has(turn)))) times++;
    }
  }
  return { of: asked.length, times };
}

async function conflictsShown(
  questions: QuestionSet['questions'],
  ask: Ask,
  { noteOf }: LoadedSet,
): Promise<{ of: number; times: number }> {
  const asked = questions.filter(({ conflicting }) => conflicting.length > 0);
  let times = 0;
  for (const question of asked) {
    const { hits } = await ask(question, { floor: true, budgetTokens: 1024 });
    const shown = question.conflicting.map((fact) => hits.find(({ id }) => id === noteOf.get(fact)));
    if (shown.every((hit) => hit && hit.conflictsWith.length > 0)) times++;
  }
  return { of: asked.length, times };
}

async function abstained(questions: QuestionSet['questions'], ask: Ask): Promise<{ of: number; notes: number; everything: number }> {
  let [notes, everything] = [0, 0];
  for (const question of questions) {
    const { hits } = await ask(question, { floor: true, budgetTokens: 1024 });
    if (!hits.some(({ source }) => source === 'note')) notes++;
    if (hits.length === 0) everything++;
  }
  return { of: questions.length, notes, everything };
}
