import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORM } from '../../bench/memory/fixture-words-platform.ts';
import { type LoadedSet, loadSet, placeName } from '../../bench/memory/load-set.ts';
import { makeFixture } from '../../bench/memory/make-fixture.ts';
import { meanOf, qualityOf } from '../../bench/memory/measures.ts';
import { plainSearch } from '../../bench/memory/plain-search.ts';
import { parseQuestionSet, type QuestionSet } from '../../bench/memory/question-set.ts';
import type { Recalled } from '../../src/core/recall.ts';
import { Scope } from '../../src/core/scope.ts';
import { recall } from '../../src/memory/recall.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-fixture-'));
const set = parseQuestionSet(makeFixture());
let loaded: LoadedSet;
/** What each question brings above the floor, and what without it. */
const floored = new Map<string, Recalled>();
const all = new Map<string, Recalled>();

beforeAll(async () => {
  loaded = await loadSet(set, folder);
  for (const [place, { id, question, at = 0, stale }] of set.questions.entries()) {
    const shared = { memory: loaded.memory, scope: new Scope(), now: at, budgetTokens: 4000 };
    floored.set(id, await recall(question, shared));
    if (stale.length > 0 || place % 3 === 0) all.set(id, await recall(question, { ...shared, floor: false, limit: 20 }));
  }
}, 240_000);

afterAll(() => {
  loaded.memory.close();
  rmSync(folder, { recursive: true, force: true });
});

function questions(kind: string): QuestionSet['questions'] {
  return set.questions.filter((question) => question.kind === kind);
}

describe('the keyed fixture', () => {
  it('is what it says: 60 sessions, over 300 facts under keys, 200 questions of five kinds, the same for the same seed', () => {
    expect([set.sessions.length, set.questions.length]).toEqual([60, 200]);
    expect(set.facts.length).toBeGreaterThanOrEqual(300);
    expect(new Set(set.questions.map(({ kind }) => kind))).toEqual(new Set(['plain', 'update', 'conflict', 'set', 'unanswerable']));
    expect(set.facts.filter(({ verdict }) => verdict === 'update').length).toBe(60);
    expect(parseQuestionSet(makeFixture())).toEqual(set);
    expect(parseQuestionSet(makeFixture(2))).not.toEqual(set);
  });

  it('asks what a reader finds in the turns that it names', () => {
    // Looked up by hand: the value in the last fact of the key stands in the turn that the question names.
    for (const { question, turns } of questions('update').slice(0, 10)) {
      const text = set.sessions.flatMap((session) => session.turns).find(({ id }) => id === turns[0])?.text ?? '';
      const feed = /\b[a-z0-9]+_[a-z0-9]+\b/.exec(question)?.[0] ?? '';
      expect(text).toContain(feed);
      const fact = set.facts.filter((candidate) => candidate.turns[0] === turns[0]);
      expect(fact.length).toBe(1);
      expect(fact[0]?.text).toContain(feed);
    }
  });
});

describe('recall on the keyed fixture', () => {
  it('never brings a superseded value first unmarked', () => {
    const asked = set.questions.filter(({ stale }) => stale.length > 0);
    expect(asked.length).toBe(65);
    const wrong = asked.flatMap(({ id, stale, question }) => {
      const notes = new Set(stale.map((fact) => loaded.noteOf.get(fact)));
      const turns = new Set(set.facts.filter((fact) => stale.includes(fact.id)).flatMap((fact) => fact.turns));
      return [floored, all].flatMap((results) => {
        const first = results.get(id)?.hits[0];
        if (!first || first.supersededBy) return [];
        const said = first.source === 'log' && first.places.some((place) => turns.has(loaded.turnAt.get(placeName(place)) ?? ''));
        return notes.has(first.id) || said ? [question] : [];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('shows both sides of a contradiction flagged, wherever it shows one', () => {
    const shown = questions('conflict').map(({ id, conflicting }) => {
      const wanted = conflicting.map((fact) => loaded.noteOf.get(fact));
      return (floored.get(id)?.hits ?? []).filter((hit) => wanted.includes(hit.id));
    });
    expect(shown.filter((hits) => hits.length === 1)).toEqual([]);
    const both = shown.filter((hits) => hits.length === 2);
    expect(both.length).toBe(20);
    expect(both.every((hits) => hits.every(({ conflictsWith }) => conflictsWith.length > 0))).toBe(true);
  });

  it('brings no note for at least 95 % of the questions without an answer', () => {
    const asked = questions('unanswerable');
    const silent = asked.filter(({ id }) => !floored.get(id)?.hits.some(({ source }) => source === 'note'));
    expect(asked.length).toBeGreaterThanOrEqual(40);
    expect(silent.length / asked.length).toBeGreaterThanOrEqual(0.95);
  });

  it('brings all members of a set', () => {
    for (const { id, turns } of questions('set')) {
      const found = new Set(floored.get(id)?.hits.flatMap(({ places }) => places.map((place) => loaded.turnAt.get(placeName(place)))));
      expect(turns.filter((turn) => !found.has(turn))).toEqual([]);
    }
  });

  it('ranks better than FTS5 alone over the same texts', () => {
    const asked = set.questions.filter(({ id, answerable }) => answerable && all.has(id));
    expect(asked.length).toBeGreaterThan(80);
    const plain = plainSearch(set, true);
    const theirs = meanOf(
      asked.map(
        ({ question, turns }) =>
          qualityOf(
            plain(question).map((hit) => hit.turns),
            turns,
          ).ndcg10,
      ),
    );
    const ours = meanOf(
      asked.map(({ id, turns }) => {
        const hits = all.get(id)?.hits ?? [];
        return qualityOf(
          hits.map(({ places }) => places.flatMap((place) => loaded.turnAt.get(placeName(place)) ?? [])),
          turns,
        ).ndcg10;
      }),
    );
    expect(ours).toBeGreaterThan(theirs + 0.1);
  });
});

describe('recall on a fixture of other words, by plain names, with tasks among the questions', () => {
  const other = parseQuestionSet(makeFixture(11, PLATFORM));
  const place = mkdtempSync(join(tmpdir(), 'soloist-fixture-'));
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('shows what is asked for, both sides of contradictions, and no note for what was never told', async () => {
    const { memory, noteOf, turnAt } = await loadSet(other, place);
    const counts = { answered: 0, of: 0, conflicts: 0, staleFirst: 0, silent: 0, unanswerable: 0 };
    for (const { question, at = 0, answerable, turns, conflicting, stale } of other.questions) {
      const { hits } = await recall(question, { memory, scope: new Scope(), now: at, budgetTokens: 1024 });
      const found = new Set(hits.flatMap(({ places }) => places.map((hit) => turnAt.get(placeName(hit)))));
      const shown = conflicting.map((fact) => hits.find(({ id }) => id === noteOf.get(fact)));
      counts.of += answerable ? 1 : 0;
      counts.answered += answerable && turns.every((turn) => found.has(turn)) ? 1 : 0;
      counts.conflicts += conflicting.length > 0 && shown.every((hit) => hit && hit.conflictsWith.length > 0) ? 1 : 0;
      counts.staleFirst += stale.some((fact) => noteOf.get(fact) === hits[0]?.id && !hits[0]?.supersededBy) ? 1 : 0;
      counts.unanswerable += answerable ? 0 : 1;
      counts.silent += !answerable && !hits.some(({ source }) => source === 'note') ? 1 : 0;
    }
    memory.close();
    expect(counts).toMatchObject({ of: 158, conflicts: 20, staleFirst: 0, unanswerable: 42 });
    expect(counts.silent / counts.unanswerable).toBeGreaterThanOrEqual(0.95);
    expect(counts.answered / counts.of).toBeGreaterThanOrEqual(0.95);
  }, 120_000);
});
