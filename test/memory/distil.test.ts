import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../src/core/model.ts';
import type { Note } from '../../src/core/note.ts';
import { Scope } from '../../src/core/scope.ts';
import { distil } from '../../src/memory/distil.ts';
import { MOST_FACTS, passGate } from '../../src/memory/gate.ts';
import { judgeVerdict } from '../../src/memory/judge-verdict.ts';
import { datedFact, likeness, normaliseFact } from '../../src/memory/normalise-fact.ts';
import { isNoteKey, noteKeyOf } from '../../src/memory/note-key.ts';
import { gatherFacts, type SessionFacts } from '../../src/memory/session-facts.ts';
import { BEGIN, type ClosedSession, cause, closedSession } from './closed-session.ts';
import { critic } from './critic.ts';

function factsOf(session: Partial<ClosedSession>): SessionFacts {
  const facts = gatherFacts(closedSession({ session: 's1', ...session }));
  if (!facts) throw new Error('the session is not closed');
  return facts;
}

const RETRY = 'Flat retries of `ingest` loaded 412 rows of 3 May a second time.';

describe('the gate', () => {
  it('lets a cause through as a bug of a set, a decision and a constraint as one note a key', () => {
    const { facts } = passGate(
      factsOf({
        findings: [
          {
            kind: 'observation',
            claim: 'The team decided to load `orders` by day instead of by hour.',
            evidence: ['r1'],
            confidence: 'high',
          },
          { kind: 'observation', claim: 'The table `orders` has no primary key.', evidence: ['r1'], confidence: 'medium' },
          cause(RETRY),
        ],
      }),
    );
    expect(facts.map(({ kind, key, multiValued }) => [kind, key, multiValued])).toEqual([
      ['bug', 'ingest.retry_policy', true],
      ['constraint', 'orders.finding', true],
      ['decision', 'orders.finding', true],
    ]);
  });

  it('keeps plain observations, what was ruled out and what was not checked out', () => {
    const claims = ['observation', 'ruled_out', 'not_checked'] as const;
    const findings = claims.map((kind) => ({
      kind,
      claim: 'The table `orders` holds 1200 rows of 4 stores.',
      evidence: ['r1'],
      confidence: 'high' as const,
    }));
    expect(passGate(factsOf({ findings }))).toEqual({ facts: [], refused: expect.objectContaining({ length: 3 }) });
  });

  it('leaves at most three notes a session, however much it found', () => {
    const findings = Array.from({ length: 12 }, (_, index) => cause(`The pool \`p${index}\` was full for ${index} hours on day ${index}.`));
    const { facts, refused } = passGate(factsOf({ findings }));
    expect([facts.length, refused.length]).toEqual([MOST_FACTS, 9]);
  });

  it('writes little of long, talkative sessions: at most a note in three turns, none twice', () => {
    const talk = Array.from({ length: 30 }, (_, index) =>
      factsOf({
        session: `s${index}`,
        tools: ['query_sql', 'recall', 'read_skill', 'summarize_log'],
        recalled: [RETRY],
        findings: [
          { kind: 'observation', claim: `The table holds ${index} rows.`, evidence: ['r1'], confidence: 'high' },
          { kind: 'observation', claim: 'You are an investigator who must find the cause.', evidence: [], confidence: 'high' },
          cause(RETRY, { evidence: ['r2'] }),
          cause('The skill says that pools must be checked first.', { evidence: ['r3'] }),
          cause('The load is currently waiting for a slot.', { evidence: ['r4'] }),
          ...(index % 10 === 0 ? [cause(RETRY, { evidence: ['r1'] }), cause(`${RETRY} `, { evidence: ['r4'] })] : []),
        ],
      }),
    );
    const facts = talk.flatMap((session) => passGate(session).facts);
    const turns = talk.length * 7;
    expect(facts).toHaveLength(3);
    expect(facts.length / turns).toBeLessThan(1 / 3);
  });

  it.each(['budget', 'failed', 'aborted', 'no_evidence', 'timeout'] as const)('leaves nothing of a session that ended %s', (status) => {
    expect(passGate(factsOf({ status, findings: [cause(RETRY)] })).facts).toEqual([]);
  });
});

describe('a key by fixed rules', () => {
  it.each([
    ['Flat retries of `ingest` caused duplicate rows.', 'why twice?', 'ingest.retry_policy'],
    ['`reload_2025` held 12 of 16 slots of pool `warehouse`.', 'why was nightly_sales slow?', 'reload_2025.pool_contention'],
    ['`orders` has 20 rows that are copies, 20 surplus rows.', 'is raw.orders right?', 'orders.duplicates'],
    ['The column `amount` of raw.orders was renamed.', 'what of raw.orders?', 'raw_orders.schema'],
    ['Rows arrived up to 52 hours late.', 'why is shop_daily short?', 'shop_daily.lateness'],
    ['Something went wrong.', 'why?', 'project.finding'],
  ])('of %j', (text, question, key) => {
    expect(noteKeyOf(text, question)).toBe(key);
    expect(isNoteKey(key)).toBe(true);
  });
});

describe('what was taken out of a text', () => {
  const host = 'Retries of [redacted:internal_host] are flat: no back-off is set.';

  it('gives no key its name, by rules', () => {
    expect(noteKeyOf(host, 'why is it slow?')).toBe('project.retry_policy');
    expect(noteKeyOf(`${host} \`ingest\` waits.`, 'is [redacted:customer_id] late?')).toBe('ingest.retry_policy');
    expect(noteKeyOf('Loads into [redacted:late_pool] are fine.', 'why?')).toBe('project.finding');
    expect(noteKeyOf('[forgotten] is set.', 'is [redacted:internal_host] up?')).toBe('project.finding');
  });

  it('gives no key its name where an agent chose it, nor may two of them retire each other', () => {
    const keys = ['internal_host.retry_policy', 'redacted.retry_policy', 'redacted_internal_host.retries'];
    for (const key of keys) {
      const { facts } = passGate(factsOf({ proposals: [{ key, text: host }] }));
      expect(facts.map((fact) => [fact.key, fact.multiValued])).toEqual([['project.retry_policy', true]]);
    }
    const { facts } = passGate(
      factsOf({ proposals: [{ key: 'internal_host.naming', text: 'Every internal host has a name of the city it is in.' }] }),
    );
    expect(facts.map(({ key }) => key)).toEqual(['internal_host.naming']);
  });

  it('gives no key its name where the critic chose it', async () => {
    const facts = factsOf({ findings: [cause(host)] });
    const drawn = { kind: 'constraint', key: 'internal_host.retry_policy', text: host, basis: ['r11'], set: false };
    const asked = await distil(facts, { critic: critic([], [drawn]), scope: new Scope(), keys: [] });
    expect(asked.facts.map((fact) => [fact.key, fact.multiValued])).toEqual([['project.retry_policy', true]]);
  });
});

describe('a fact', () => {
  it('is one dated line without citations, cut at the end of a sentence', () => {
    expect(datedFact(' It\nwas  the retry [r1, c2.r3]. ', BEGIN)).toBe('2026-05-04: It was the retry.');
    expect(datedFact('2026-01-01: It was.', BEGIN)).toBe('2026-01-01: It was.');
    const long = datedFact(`${'The pool was full on that day. '.repeat(30)}`, BEGIN);
    expect(long.length).toBeLessThanOrEqual(421);
    expect(long.endsWith('.')).toBe(true);
  });

  it('is the same whatever its date, case, quotes and citations', () => {
    expect(normaliseFact('2026-05-04: The `Orders` table is "full" [r3].')).toBe(normaliseFact('the orders table is full'));
    expect(likeness('the orders table is full', 'the orders table is half full')).toBeCloseTo(5 / 6);
  });
});

describe('the critic', () => {
  const session = factsOf({ findings: [cause(RETRY), cause('The pool `etl` has 16 slots.')], answer: 'It was the retry of 3 May.' });
  const ask = (facts: readonly object[], of: SessionFacts = session) =>
    distil(of, { critic: critic([], facts), scope: new Scope(), keys: ['ingest.retry_policy'] });
  const fact = {
    kind: 'constraint',
    key: 'ingest.retry_policy',
    text: 'Retries of ingest must not be flat: 412 rows were loaded twice.',
    basis: ['r11'],
    set: false,
  };

  it('draws facts that name their claims', async () => {
    expect(await ask([fact])).toMatchObject({
      by: 'test/critic',
      facts: [
        {
          key: 'ingest.retry_policy',
          kind: 'constraint',
          text: `2026-05-04: ${fact.text}`,
          multiValued: false,
          basis: ['r11'],
          places: [
            { session: 's1', agent: 'main' },
            { session: 's1', agent: 'main' },
          ],
        },
      ],
      usage: { inputTokens: 10 },
    });
  });

  it.each([
    ['a figure that no claim holds', { text: 'Retries of ingest loaded 999 rows twice.' }, 'no claim holds the figure 999'],
    ['a claim that is not of the session', { basis: ['r99'] }, 'it names no claim of the session'],
    ['a key that is none', { key: 'Retry Policy' }, '"Retry Policy" is no key'],
    ['a state of the moment', { text: 'The retry of ingest is in progress.' }, 'it says what held for the moment'],
  ])('is not followed in %s', async (_what, wrong, why) => {
    expect(await ask([{ ...fact, ...wrong }])).toMatchObject({ facts: [], refused: [{ why }] });
  });

  it('may find nothing worth keeping, and is not asked where nothing may pass', async () => {
    expect(await ask([])).toMatchObject({ facts: [], refused: [] });
    const never: ChatModel = {
      ...critic([]),
      startConversation: () => {
        throw new Error('asked');
      },
    };
    const nothing = factsOf({ findings: [cause('It is still running.')] });
    expect(await distil(nothing, { critic: never, scope: new Scope(), keys: [] })).toMatchObject({ by: 'rules', facts: [] });
  });

  it('gives way to fixed rules where it answers no JSON', async () => {
    expect(await distil(session, { critic: critic([]), scope: new Scope(), keys: [] })).toMatchObject({
      by: 'rules',
      facts: [{ kind: 'bug' }, { kind: 'bug' }],
      usage: { inputTokens: 10 },
    });
  });
});

describe('a verdict', () => {
  const note = (id: string, text: string): Note => ({
    ...{ id, tenant: 'local', key: 'a.b', version: 1, multiValued: false, kind: 'fact', text, agent: 'x', created: 1, lastConfirmed: 1 },
    ...{ provenance: [], status: 'current', conflictsWith: [], verdict: 'new', judged: true },
  });
  const judge = (text: string, current: readonly Note[], more: { critic?: ChatModel; multiValued?: boolean } = {}) =>
    judgeVerdict(text, current, { scope: new Scope(), multiValued: false, ...more });

  it('needs no model where nothing is current or the text is the same', async () => {
    const never: ChatModel = {
      ...critic([]),
      startConversation: () => {
        throw new Error('asked');
      },
    };
    expect(await judge('x', [], { critic: never })).toEqual({ verdict: 'new', judged: true, by: 'rules' });
    expect(await judge('2026-01-02: X.', [note('n-1', '2026-01-01: x')], { critic: never })).toEqual({
      verdict: 'same',
      target: 'n-1',
      judged: true,
      by: 'rules',
    });
  });

  it.each(['SAME', 'UPDATE', 'CONFLICT'])('is the %s that the critic gives', async (said) => {
    expect(await judge('y', [note('n-1', 'x')], { critic: critic([said]) })).toMatchObject({
      verdict: said.toLowerCase(),
      target: 'n-1',
      judged: true,
      by: 'test/critic',
    });
  });

  it('falls back to an update that nobody judged, in a set to a further member', async () => {
    expect(await judge('y', [note('n-1', 'x')])).toEqual({ verdict: 'update', target: 'n-1', judged: false, by: 'rules' });
    expect(await judge('y', [note('n-1', 'x')], { critic: critic(['PERHAPS']) })).toMatchObject({ verdict: 'update', judged: false });
    expect(await judge('y', [note('n-1', 'x'), note('n-2', 'z')], { multiValued: true })).toEqual({
      verdict: 'new',
      judged: false,
      by: 'rules',
    });
    expect(await judge('y', [note('n-1', 'x')], { multiValued: true, critic: critic(['CONFLICT']) })).toMatchObject({
      verdict: 'new',
      judged: false,
    });
  });
});
