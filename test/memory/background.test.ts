import { afterEach, describe, expect, it } from 'vitest';
import { recallBackground } from '../../src/app/memory-background.ts';
import { addNote } from '../../src/app/memory-change.ts';
import type { ConclusionStatus } from '../../src/core/conclusion.ts';
import { estimateTokens } from '../../src/core/usage.ts';
import { compareQuestions } from '../../src/memory/same-question.ts';
import { shortLine, statementLine } from '../../src/memory/short-line.ts';
import { BEGIN, type ClosedSession, cause, closedSession, DAY } from './closed-session.ts';
import { closeShops, openShop, type Shop } from './memory-project-folder.ts';

afterEach(closeShops);

const NOW = new Date(BEGIN + 42 * DAY);

async function backgroundOf(shop: Shop, question: string, contextTokens = 32_768): Promise<Awaited<ReturnType<typeof recallBackground>>> {
  const { workspace, memory } = shop;
  const scout = workspace.agent('scout');
  const agent = { ...scout, limits: { ...scout.limits, contextTokens } };
  return recallBackground({ workspace, memory, agent, question, session: 's-now', now: () => NOW });
}

async function shopAfter(...sessions: readonly ClosedSession[]): Promise<Shop> {
  const shop = await openShop();
  for (const session of sessions) shop.memory.log.append(closedSession({ agent: 'scout', ...session }));
  await shop.memory.catchUp({ now: () => new Date(BEGIN + 1000) });
  return shop;
}

const LEDGER = 'The ledger export skips rows whose currency column is empty.';

describe('what a session said without coming to an answer', () => {
  const unfinished: readonly ConclusionStatus[] = ['aborted', 'failed', 'budget', 'timeout', 'no_evidence', 'schema_invalid'];

  it.each(unfinished)('is marked as unfinished where it was %s', async (status) => {
    const shop = await shopAfter({ session: 's-1', status, question: 'what is wrong?', answer: LEDGER });
    const { text, event } = await backgroundOf(shop, 'which rows does the ledger export skip?');
    expect(text).toMatch(
      new RegExp(`\\[s-1/main/\\d+/\\d+\\] 2026-05-04 .*; unfinished \\(${status}\\), no conclusion; may be stale.*\\n> ${LEDGER}`),
    );
    expect(event.hits[0]?.why).toContain(`without coming to an answer (${status})`);
  });

  it('is marked as open where the session was killed, and not at all where it came to an answer', async () => {
    const whole = closedSession({ session: 's-2', question: 'what is wrong?', answer: LEDGER });
    const shop = await openShop();
    const reply = {
      type: 'model.replied',
      message: { role: 'assistant', content: LEDGER },
      finish: 'stop',
      usage: { inputTokens: 0, outputTokens: 0 },
    };
    shop.memory.log.append(whole.slice(0, 2));
    shop.memory.log.append([{ ...whole[2]!, body: reply as never }]);
    const killed = await backgroundOf(shop, 'which rows does the ledger export skip?');
    expect(killed.text).toContain('; unfinished (open), no conclusion; ');
    shop.memory.log.append(whole.slice(3));
    const answered = await backgroundOf(shop, 'which rows does the ledger export skip?');
    expect(answered.text).toContain(LEDGER);
    expect(answered.text).not.toContain('unfinished');
  });
});

describe('a question that was asked before', () => {
  const ASKED = 'What went wrong on Sunday night at the depot in Essen?';
  const CLAIM = 'Flat retries of `ingest` loaded 412 rows a second time.';
  const before = { session: 's-1', question: ASKED, answer: 'Done.', findings: [cause(CLAIM)] };

  it('gives its notes, and says in which words it was asked', async () => {
    const shop = await shopAfter(before);
    const whyOf = async (question: string) => (await backgroundOf(shop, question)).event.hits.find(({ source }) => source === 'note')?.why;
    expect(await whyOf('what went wrong on Sunday night at the depot in Essen')).toBe(
      'came of a session that was asked this in the same words on 2026-05-04',
    );
    expect(await whyOf('What went wrong on Sunday night, in Essen, at the depot, and late?')).toBe(
      `came of a session that was asked on 2026-05-04: “${ASKED}”`,
    );
    expect(await whyOf('What went wrong on Sunday night at the depot in Bonn?')).toBeUndefined();
    expect(await whyOf('Who was at the depot in Essen on Sunday night?')).toBeUndefined();
  });

  it('does not give what a further question of that session brought, or what the session only met again', async () => {
    const shop = await shopAfter(before);
    const later = closedSession({
      session: 's-1',
      question: ASKED,
      answer: 'And: x.',
      findings: [cause('The pool `load` was full for 3 hours.')],
    });
    // The second round of the same session, behind the first.
    shop.memory.log.append(later.slice(1).map((event) => ({ ...event, round: 2, step: event.step + 50, sequence: event.sequence + 50 })));
    shop.memory.log.append(
      closedSession({
        agent: 'scout',
        session: 's-2',
        at: BEGIN + 5_000_000,
        question: 'Is the tower of Bonn high?',
        findings: [cause(CLAIM)],
      }),
    );
    await shop.memory.catchUp({ now: () => new Date(BEGIN + 6_000_000) });
    const keysFor = async (question: string) => (await backgroundOf(shop, question)).event.hits.map(({ key }) => key);
    expect(
      shop.memory.store.notes
        .list()
        .map(({ key }) => key)
        .sort(),
    ).toEqual(['ingest.retry_policy', 'load.pool_contention']);
    expect(await keysFor(ASKED)).toContain('ingest.retry_policy');
    expect(await keysFor(ASKED)).not.toContain('load.pool_contention');
    expect(await keysFor('Is the tower of Bonn high?')).not.toContain('ingest.retry_policy');
  });

  it.each([
    ['why did ingest fail', 'Why did ingest fail?', 'same'],
    ['Why did the nightly load of `orders` fail?', 'why did the nightly load of orders fail', 'same'],
    ['Why did the nightly load fail?', 'Why did the nightly load not fail?', undefined],
    ['Why did the nightly load of orders fail on 3 May?', 'Why did the nightly load of orders fail on 4 May?', undefined],
    ['Why did the nightly load of orders fail yesterday evening?', 'Why did the nightly load of items fail yesterday evening?', undefined],
    ['When did the nightly load of orders fail?', 'Why did the nightly load of orders fail?', undefined],
    ['Why did ingest fail?', 'Why did ingest fail, and what has the vendor said of the late files since?', undefined],
    ['Why did ingest fail, and what did the vendor say?', 'Why did ingest fail?', undefined],
    ['Is A larger than B?', 'Is B larger than A?', undefined],
    ['ingest', 'Why did ingest fail?', undefined],
    ["Why did last night's nightly_sales run take three times as long?", 'Why was the nightly_sales run so slow last night?', 'related'],
    ['Why did nightly_sales take so long on 3 May?', 'Why was nightly_sales slow on 4 May?', undefined],
    ['Why did nightly_sales take so long?', 'Why was nightly_stock slow?', undefined],
    ['Why did nightly_sales take so long?', 'When did nightly_sales begin?', undefined],
    ['Why did nightly_sales take so long?', 'Why did nightly_sales not take so long?', undefined],
    ['', '', undefined],
  ])('"%s" and "%s"', (earlier, ours, alike) => {
    expect(compareQuestions(earlier, ours)).toBe(alike);
  });
});

describe('the lines of a background', () => {
  const sentences = Array.from(
    { length: 5 },
    (_, place) => `Part ${place + 1} of the report on the harbour tells of crane number ${place + 10}, of its driver and of the tide.`,
  );
  const LONG = [
    ...sentences,
    'The ledger export skips rows whose currency column is empty.',
    'Nothing else was found in the harbour that night.',
  ].join(' ');

  it('are short: of a long text the statement that says most, with marks where it goes on', async () => {
    expect(LONG.length).toBeGreaterThan(450);
    const shop = await shopAfter({ session: 's-1', question: 'what?', answer: LONG });
    const { text, event } = await backgroundOf(shop, 'which rows does the ledger export skip when currency is empty?');
    expect(text).toMatch(/\n> \[…\] The ledger export skips rows whose currency column is empty\. \[…\]\n/);
    expect(event.hits[0]?.text).toBe('[…] The ledger export skips rows whose currency column is empty. […]');
    // The tool and the verb show all of it.
    const { hits } = await shop.memory.recall('which rows does the ledger export skip?', { now: NOW.getTime(), budgetTokens: 2000 });
    expect(hits[0]?.text.length).toBeGreaterThan(400);
  });

  it('are whole and dated, and stay within the budget with all that stands around them', async () => {
    const shop = await openShop();
    for (let number = 0; number < 12; number++) {
      const text = `Crane ${number} of the harbour lifts at most ${number + 5} tons in the wind. ${LONG.slice(0, 330)}`;
      await addNote(
        shop.memory,
        { key: `crane_${String.fromCharCode(97 + number)}.limit`, text, kind: 'constraint', several: false },
        { now: NOW },
      );
    }
    const question = 'how many tons does a crane of the harbour lift in the wind?';
    const small = await backgroundOf(shop, question, 6_400);
    expect(small.event.hits.length).toBeGreaterThan(0);
    expect(estimateTokens(small.text)).toBeLessThanOrEqual(400);
    expect(small.event.tokens).toBe(estimateTokens(small.text));
    const large = await backgroundOf(shop, question);
    expect(large.event.hits.length).toBe(8);
    expect(estimateTokens(large.text)).toBeLessThanOrEqual(1024);
    const lines = large.text.split('\n').filter((line) => line.startsWith('> '));
    expect(lines).toHaveLength(8);
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(282);
      expect(line).toMatch(/^> \d{4}-\d\d-\d\d: .*(?:\.|\. \[…\])$/);
    }
    expect((await backgroundOf(shop, question, 800)).text).toBe('');
  });

  it('hold the budget where notes stand in place of a question', async () => {
    const findings = [1, 2, 3].map((place) => cause(`The pool \`p${place}\` was full. ${sentences.slice(0, 4).join(' ')}`));
    const asked = 'What went wrong on Sunday night at the depot?';
    const shop = await shopAfter({ session: 's-1', question: asked, answer: 'Done.', findings });
    const { text, event } = await backgroundOf(shop, asked, 3_600);
    expect(event.hits.length).toBeGreaterThan(0);
    expect(estimateTokens(text)).toBeLessThanOrEqual(225);
  });

  it.each([
    ['A short one.', 'A short one.'],
    [`${'a'.repeat(100)}. ${'b'.repeat(200)}.`, `${'a'.repeat(100)}. […]`],
    [`${'word '.repeat(100)}`, `${'word '.repeat(55).trim()} […]`],
    ['x'.repeat(400), `${'x'.repeat(276)} […]`],
  ])('of %#', (text, line) => {
    expect(shortLine(text)).toBe(line);
  });

  it('say where a statement is taken from the middle', () => {
    const text = `${'First. '.repeat(50)}The middle one. ${'Last. '.repeat(50)}`;
    expect(statementLine('The middle one.', text)).toBe('[…] The middle one. […]');
    expect(statementLine(text.slice(0, 6), text)).toBe('First. […]');
  });
});
