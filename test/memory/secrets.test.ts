import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { rebuild, rescan } from '../../src/app/memory-care.ts';
import { addNote } from '../../src/app/memory-change.ts';
import { forget, planForget } from '../../src/app/memory-forget.ts';
import { importNotes } from '../../src/app/memory-transfer.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import { closeShops, openShop } from './memory-project-folder.ts';

afterEach(closeShops);

const digest = (seed: number) => createHash('sha512').update(`planted ${seed}`).digest();
const hex = (seed: number, length: number) => digest(seed).toString('hex').slice(0, length);
/** Letters of both cases and digits, a digit among the first. */
const word = (seed: number, length: number) =>
  `a7Q${digest(seed)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')}`.slice(0, length);

/** Twenty kinds, three of each: the text as it may stand somewhere, and the part that must not be kept. Put together here, so that no scanner takes this file for a leak. */
const KINDS: readonly ((seed: number) => readonly [text: string, secret: string])[] = [
  (seed) => [`postgresql://etl:${word(seed, 14)}@db.example.org:5432/sales`, word(seed, 14)],
  (seed) => [
    `AK${'IA'}${word(seed, 16)
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, 'X')}`,
    word(seed, 16).toUpperCase(),
  ],
  (seed) => [`gh${'p_'}${word(seed, 36)}`, word(seed, 36)],
  (seed) => [`gl${'pat-'}${word(seed, 20)}`, word(seed, 20)],
  (seed) => [`xo${'xb-'}1234-${word(seed, 24)}`, word(seed, 24)],
  (seed) => [`sk_${'live_'}${word(seed, 24)}`, word(seed, 24)],
  (seed) => [`AI${'za'}${word(seed, 35)}`, word(seed, 35)],
  (seed) => [`da${'pi'}${hex(seed, 32)}`, hex(seed, 32)],
  (seed) => [`ey${'J'}${word(seed, 20)}.${word(seed + 1, 20)}.${word(seed + 2, 20)}`, word(seed + 1, 20)],
  (seed) => [`Authorization: Bearer ${word(seed, 30)}`, word(seed, 30)],
  (seed) => [`db_password=${word(seed, 12)}`, word(seed, 12)],
  (seed) => [`"api_key": "${word(seed, 22)}"`, word(seed, 22)],
  (seed) => [`-----BEGIN ${'PRIVATE'} KEY-----\n${word(seed, 64)}\n-----END ${'PRIVATE'} KEY-----`, word(seed, 64)],
  (seed) => [`AccountKey=${word(seed, 44)}==;EndpointSuffix=core`, word(seed, 44)],
  (seed) => [`https://x.blob.example.net/f.csv?sv=1&sig=${word(seed, 30)}`, word(seed, 30)],
  (seed) => [`npm_${word(seed, 36)}`, word(seed, 36)],
  (seed) => [`${word(seed, 9).toLowerCase()}.smith@mail.example.org`, `${word(seed, 9).toLowerCase()}.smith`],
  (seed) => [`https://airflow-${hex(seed, 6)}.prod.internal:8080/dags`, `airflow-${hex(seed, 6)}`],
  (seed) => [`worker at 10.${20 + seed}.30.${100 + seed}:5432`, `10.${20 + seed}.30.${100 + seed}`],
  (seed) => [`customer CUST-${7_100_000 + seed * 977}`, `CUST-${7_100_000 + seed * 977}`],
];
const PLANTED = KINDS.flatMap((kind, index) => [1, 2, 3].map((place) => kind(index * 3 + place)));
const PROJECT = { 'soloist.yaml': "name: shop\nsources: {}\nmemory: { redact: [{ name: customer_id, pattern: 'CUST-\\d{6,10}' }] }\n" };

function leaks(bytes: Buffer): string[] {
  return PLANTED.map(([, secret]) => secret).filter((secret) => bytes.includes(secret));
}

/** A run that meets each planted text in every way that reaches the log. */
function carrier(texts: readonly string[]) {
  const all = texts.join('\n');
  return scriptedModel([
    {
      calls: [
        { tool: 'read_note', input: { text: `${'clean line\n'.repeat(3000)}${all}` } },
        ...texts.map((text) => ({ tool: 'read_note', input: { text } })),
      ],
    },
    {
      calls: [
        {
          tool: 'record_finding',
          input: { kind: 'cause', claim: `The load broke since ${all.slice(0, 900)}`, evidence: ['r1'], confidence: 'high' },
        },
        {
          tool: 'scratchpad',
          input: { add: texts.slice(0, 20).map((text) => `look at ${text}`.slice(0, 290)), note: texts.at(-1) ?? 'x' },
        },
        ...texts.slice(-12, -4).map((text) => ({
          tool: 'graph_add',
          input: {
            subject: `job ${text.replace(/\s+/g, ' ').slice(0, 150)}`,
            relation: 'owned_by',
            object: text.replace(/\s+/g, ' ').slice(0, 180),
          },
        })),
        {
          tool: 'remember',
          input: {
            key: 'ingest.login',
            kind: 'constraint',
            text: `Ingest must use ${texts.at(-1) ?? ''} and mail ${texts[50] ?? ''}`,
            evidence: ['r1'],
          },
        },
      ],
    },
    { calls: [{ tool: 'recall', input: { question: texts[0]?.slice(0, 400) ?? 'x y' } }] },
    { thinking: all, text: `It was this: ${all}` },
  ]);
}

describe('sixty planted secrets of twenty kinds', () => {
  it('are sixty different ones', () => {
    expect(new Set(PLANTED.map(([, secret]) => secret)).size).toBe(60);
  });

  it('stand nowhere in the database after runs, in notes, relations, the scratchpad or what is recalled, nor after forgetting', async () => {
    const shop = await openShop(PROJECT);
    const texts = PLANTED.map(([text]) => text);
    for (const part of [texts.slice(0, 30), texts.slice(30)]) await shop.run(carrier(part), `why did ${part.slice(0, 5).join(' ')} fail?`);
    const { report } = await shop.run(carrier(texts), `what of ${texts[48]}?`);
    expect(report.status).toBe('ok');
    expect(report.notes.written.length).toBeGreaterThan(0);
    expect(shop.memory.store.triples.count()).toBeGreaterThan(5);
    await addNote(
      shop.memory,
      { key: 'people.owner', text: `Ask ${texts[48]} about ${texts[57]}, ${texts[30]}`, kind: 'fact', several: false },
      { now: new Date() },
    );
    expect(leaks(shop.bytes())).toEqual([]);
    const notes = shop.memory.store.notes.list();
    expect(JSON.stringify(notes)).toContain('[redacted:email]');
    expect(JSON.stringify(notes)).toContain('[redacted:customer_id]');
    await forget(
      shop.memory,
      planForget(shop.memory, { references: notes.map(({ id }) => id), allVersions: true, withSessions: true }, new Date()),
      new Date(),
    );
    expect(leaks(shop.bytes())).toEqual([]);
    expect(shop.memory.store.notes.list()).toEqual([]);
    await shop.close();
    expect(leaks(shop.bytes())).toEqual([]);
  });

  it('do not come in through profile notes, skills that are read, or what a child is told', async () => {
    const texts = PLANTED.map(([text]) => text);
    const shop = await openShop({
      ...PROJECT,
      'NOTES.md': `# Notes\n${texts.slice(0, 30).join('\n')}\n`,
      'skills/month-end.md': `---\nname: month-end\ndescription: Checks.\nwhen_to_use: A month-end report or a closing balance is in question.\n---\n1. Use ${texts.slice(30).join('\n')}\n`,
    });
    const model = scriptedModel([
      { calls: [{ tool: 'read_skill', input: { name: 'month-end' } }] },
      { thinking: texts.slice(0, 30).join('\n'), text: `As NOTES.md says: ${texts.slice(0, 30).join('\n')}` },
    ]);
    const { events } = await shop.run(model, 'is the closing balance of the month-end report right?');
    // What the agent works with is not touched: only what is kept.
    expect(JSON.stringify(events.filter(({ body }) => body.type === 'tool.finished'))).toContain(PLANTED[36]?.[1]);
    expect(leaks(shop.bytes())).toEqual([]);
    await shop.close();
    expect(leaks(shop.bytes())).toEqual([]);
  });

  it('do not come in with an import', async () => {
    const shop = await openShop(PROJECT);
    const note = {
      id: 'n-abcdefgh12',
      tenant: 'local',
      key: 'a.b',
      version: 1,
      multiValued: false,
      kind: 'fact',
      text: PLANTED.map(([text]) => text).join(' '),
      agent: 'person',
    };
    const rest = { created: 1, lastConfirmed: 1, provenance: [], status: 'current', conflictsWith: [], verdict: 'new', judged: true };
    expect(await importNotes(shop.memory, JSON.stringify({ ...note, ...rest }), new Date())).toEqual({
      imported: 1,
      known: 0,
      refused: [],
    });
    expect(leaks(shop.bytes())).toEqual([]);
    expect(shop.memory.store.notes.get('n-abcdefgh12')?.text).toContain('[redacted:');
  });
});

describe('forgetting', () => {
  const told = 'The supplier Meier & Sons was paid twice on 3 May through the flat retry.';
  const teller = () =>
    scriptedModel([
      { calls: [{ tool: 'read_note', input: { text: 'ledger: 2 payments' } }] },
      { calls: [{ tool: 'record_finding', input: { kind: 'cause', claim: told, evidence: ['r1'], confidence: 'high' } }] },
      { text: `${told} [r1]` },
    ]);

  it('takes a fact out of every event, note, index and free page, also where it was recalled later', async () => {
    const shop = await openShop();
    const { report } = await shop.run(teller(), 'who was paid twice?');
    const [written] = report.notes.written;
    const later = await shop.run(
      scriptedModel([{ calls: [{ tool: 'recall', input: { question: 'Meier Sons paid twice' } }] }, { text: 'As before.' }]),
      'was Meier paid twice in May?',
    );
    expect(later.report.notes.recalled.map(({ id }) => id)).toContain(written?.id);
    expect(shop.bytes().includes('Meier & Sons')).toBe(true);
    const gone = await forget(
      shop.memory,
      planForget(shop.memory, { references: [written?.id ?? ''], allVersions: false, withSessions: false }, new Date()),
      new Date(),
    );
    expect(gone).toMatchObject({ notes: [{ id: written?.id }], eventsBlanked: 2 });
    expect(gone.eventsCleaned).toBeGreaterThan(2);
    expect(shop.bytes().includes('Meier & Sons')).toBe(false);
    const recalled = await shop.memory.recall('was Meier paid twice in May?', { now: Date.now(), budgetTokens: 1000 });
    expect(recalled.hits.filter(({ text }) => text.includes('Meier &'))).toEqual([]);
    await shop.memory.catchUp({ fromStart: true });
    expect(shop.memory.store.notes.list()).toEqual([]);
  });

  it('takes out what a later session had of it as a short line, and leaves what begins in the same words', async () => {
    const shop = await openShop();
    const start = 'Flat retries of the ingest of the harbour load wrote duplicate rows since zanzibarquill kept the cursor open';
    const more = 'whoever adds a retry to it has to make the load idempotent first, with a backoff of ten minutes at most.';
    const note = async (key: string, text: string) =>
      (await addNote(shop.memory, { key, text, kind: 'decision', several: false }, { now: new Date() })).id;
    const id = await note(
      'ingest.retry_policy',
      `${start}; ${more} The platform group gets an alert and nobody restarts it by hand before it looked.`,
    );
    const kept = await note('harbour.retry_policy', 'Flat retries of the ingest of the harbour load are paid by the port.');
    const { report } = await shop.run(
      scriptedModel([{ text: 'So I would not.' }]),
      'Should we add flat retries to the ingest of the harbour load?',
    );
    expect(report.notes.recalled.map((one) => [one.id, one.text.endsWith('[…]')])).toEqual([
      [kept, false],
      [id, true],
    ]);
    await forget(
      shop.memory,
      planForget(shop.memory, { references: [id], allVersions: false, withSessions: false }, new Date()),
      new Date(),
    );
    for (const gone of ['zanzibarquill', 'backoff of ten', 'duplicate rows']) expect(shop.bytes().includes(gone), gone).toBe(false);
    expect(shop.bytes().includes('harbour load are paid by the port')).toBe(true);
    expect(shop.memory.store.notes.list().map(({ id: left }) => left)).toEqual([kept]);
  });

  it('does not let hold again what the note had superseded, in notes or in what was said', async () => {
    const shop = await openShop();
    const write = async (text: string) =>
      (await addNote(shop.memory, { key: 'risk.tolerance', text, kind: 'decision', several: false }, { now: new Date() })).id;
    const old = await write('The risk tolerance of the fund is low.');
    const now = await write('The risk tolerance of the fund is high.');
    await forget(
      shop.memory,
      planForget(shop.memory, { references: [now], allVersions: false, withSessions: false }, new Date()),
      new Date(),
    );
    expect(shop.memory.store.notes.list()).toMatchObject([{ id: old, status: 'superseded', supersededBy: now }]);
    expect(await rebuild(shop.memory, new Date())).toMatchObject({ unchanged: true });
    const question = 'what is the risk tolerance of the fund?';
    expect((await shop.memory.recall(question, { now: Date.now(), budgetTokens: 1000 })).hits).toEqual([]);
    const next = await write('The risk tolerance of the fund is medium.');
    expect(shop.memory.store.notes.current('risk.tolerance').map(({ id }) => id)).toEqual([next]);
  });

  it('leaves the other notes as they were, with their ids', async () => {
    const shop = await openShop();
    await shop.run(teller(), 'who was paid twice?');
    const kept = await addNote(
      shop.memory,
      { key: 'ingest.owner', text: 'Ingest belongs to the platform team.', kind: 'fact', several: false },
      { now: new Date() },
    );
    const plan = planForget(shop.memory, { references: [], containing: 'meier', allVersions: false, withSessions: false }, new Date());
    expect(plan.notes).toHaveLength(1);
    await forget(shop.memory, plan, new Date());
    expect(shop.memory.store.notes.list()).toEqual([kept]);
  });
});

describe('a rescan', () => {
  it('takes out what a rule of today finds in what was logged before', async () => {
    const shop = await openShop();
    await shop.run(carrier(['customer CUST-7654321', 'clean']), 'why CUST-7654321?');
    await addNote(
      shop.memory,
      { key: 'customers.vip', text: 'CUST-7654321 may not be merged.', kind: 'constraint', several: false },
      { now: new Date() },
    );
    expect(shop.bytes().includes('CUST-7654321')).toBe(true);
    await shop.close();
    const again = await openShop(PROJECT, shop.folder);
    const { events } = await rescan(again.memory, again.workspace, new Date());
    expect(events).toBeGreaterThan(3);
    expect(again.bytes().includes('CUST-7654321')).toBe(false);
    expect(again.memory.store.notes.current('customers.vip')[0]?.text).toContain('[redacted:customer_id] may not be merged.');
    expect((await rescan(again.memory, again.workspace, new Date())).events).toBe(0);
  });
});
