import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../bench/memory/make-fixture.ts';
import { estimateTokens } from '../../src/core/usage.ts';
import { renderHit } from '../../src/memory/render-recalled.ts';
import { cleanUpMemories, openTalkingMemory } from './memory-folder.ts';

afterAll(cleanUpMemories);

const RETRIES = 'Flat retries caused the duplicate-row incident of 3 May in the ingest: a load is not idempotent.';

describe('recall', () => {
  it('finds what session one learned before all that 400 sessions said since', async () => {
    const memory = await openTalkingMemory();
    const [place] = memory.session(0, [`Looked into the duplicates. ${RETRIES}`]);
    memory.note('ingest.retry_policy', RETRIES, { provenance: [place!] });
    const random = seededRandom(7);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
    const verbs = ['checked', 'profiled', 'compared', 'queried', 'read', 'added', 'asked about'];
    const things = [
      'the orders table',
      'a test',
      'the ingest log',
      'a task',
      'the price feed',
      'a dashboard',
      'the incident list',
      'rows of May',
    ];
    for (let session = 0; session < 400; session++) {
      const texts = Array.from(
        { length: 3 },
        () => `I ${pick(verbs)} ${pick(things)} and ${pick(verbs)} ${pick(things)}; nothing unusual.`,
      );
      const places = memory.session(1 + session / 10, texts);
      if (session % 8 === 0)
        memory.note(`noise.k${session}`, `${pick(things)} was ${pick(verbs)} on day ${session}.`, {
          provenance: [places[0]!],
          day: session / 10,
        });
    }
    const { hits } = await memory.ask('Add a retry to the ingest task');
    expect(hits[0]).toMatchObject({ source: 'note', key: 'ingest.retry_policy', age: '6 weeks ago', text: RETRIES });
    expect(hits[0]?.why.words).toEqual(expect.arrayContaining(['retri', 'ingest']));
    expect(hits[0]?.why.because).toContain('matches');
  });

  it('shows what was said in the same words once, where it was said last, however often, and finds the others behind it', async () => {
    const memory = await openTalkingMemory();
    for (let session = 0; session < 150; session++) memory.session(session / 10, ['The harbour crane is late again.']);
    memory.session(2, ['The harbour crane of pier nine was late since its driver was ill and nobody had a second key to it.']);
    memory.store.indexer.fill();
    const { hits } = await memory.ask('Why was the harbour crane late?');
    expect(hits.map(({ text }) => text.slice(0, 40))).toEqual([
      'The harbour crane is late again.',
      'The harbour crane of pier nine was late ',
    ]);
    expect(new Date(hits[0]?.at ?? 0).toISOString().slice(0, 10)).toBe('2026-05-19');
  });

  it('searches for the second of two words that are about as frequent', async () => {
    const memory = await openTalkingMemory();
    for (let session = 0; session < 50; session++) {
      memory.session(
        1,
        Array.from({ length: 36 }, (_, place) => `Work is plenty in hall ${session}-${place}.`),
      );
      memory.session(
        1,
        Array.from({ length: 34 }, (_, place) => `Wonderful news from yard ${session}-${place}.`),
      );
      memory.session(
        1,
        Array.from({ length: 60 }, (_, place) => `The tide stood at mark ${session}-${place}.`),
      );
    }
    memory.session(2, ['Good news: a title at work for me.']);
    memory.store.indexer.fill();
    const { hits } = await memory.ask('What news of work?', { floor: false });
    expect(hits[0]?.text).toBe('Good news: a title at work for me.');
  });

  it('never shows what is superseded as if it stood: neither the note nor the text it came from', async () => {
    const memory = await openTalkingMemory();
    const [old, fresh] = [
      memory.session(0, ['The load of orders is retried three times.']),
      memory.session(9, ['The load of orders is retried five times.']),
    ];
    memory.session(3, ['As we know, the load of orders is retried three times.']);
    const first = memory.note('orders.retry', 'The load of orders is retried three times.', { provenance: old });
    const second = memory.note('orders.retry', 'The load of orders is retried five times.', { provenance: fresh, day: 9 });
    const left = await memory.ask('How often is the load of orders retried?');
    expect(left.hits.map(({ text }) => text)).toEqual(['The load of orders is retried five times.']);
    const marked = await memory.ask('How often is the load of orders retried?', { superseded: 'mark' });
    expect(
      marked.hits
        .filter(({ text }) => text.includes('three'))
        .map(({ id, supersededBy }) => [id === first.id || id.startsWith('s-'), supersededBy]),
    ).toEqual([
      [true, second.id],
      [true, second.id],
      [true, second.id],
    ]);
    expect(renderHit(marked.hits.find(({ id }) => id === first.id)!)).toContain(`superseded by ${second.id}`);
  });

  it('marks a text that also holds something that still stands, and keeps it', async () => {
    const memory = await openTalkingMemory();
    const both = memory.session(0, ['The load of orders is retried three times. The prices land at noon in Delft.']);
    memory.note('orders.retry', 'The load of orders is retried three times.', { provenance: both });
    memory.note('prices.landing', 'The prices land at noon in Delft.', { provenance: both });
    const stands = memory.note('orders.retry', 'The load of orders is retried five times.', { day: 9 });
    const { hits } = await memory.ask('How often is the load of orders retried?');
    expect(hits.map(({ source, supersededBy }) => [source, supersededBy])).toEqual([
      ['note', undefined],
      ['log', stands.id],
    ]);
  });

  it('shows both sides of a contradiction, flagged, what stands first', async () => {
    const memory = await openTalkingMemory();
    const old = memory.note('prices.landing', 'The prices land at noon.');
    const fresh = memory.note('prices.landing', 'The prices land at midnight.', { verdict: 'conflict', day: 20 });
    const { hits } = await memory.ask('When do the prices land?');
    expect(hits.map(({ id, conflictsWith }) => [id, conflictsWith])).toEqual([
      [fresh.id, [old.id]],
      [old.id, [fresh.id]],
    ]);
    for (const { conflictsWith, why } of hits) expect(why.because).toContain(`contradicted by ${conflictsWith[0]}`);
  });

  it('says a thing once: the note, not also the text that it was made from', async () => {
    const memory = await openTalkingMemory();
    const places = memory.session(0, ['The prices land at noon, as Marta says.']);
    const note = memory.note('prices.landing', 'Prices land at noon.', { provenance: places });
    expect((await memory.ask('When do the prices land?')).hits.map(({ id }) => id)).toEqual([note.id]);
  });

  it('finds in the log what nobody made a note of, also right after it was said', async () => {
    const memory = await openTalkingMemory();
    memory.session(0, ['The vendor of the fuel cards is called Petrox.']);
    const { hits } = await memory.ask('Who is the vendor of the fuel cards?');
    expect(hits).toMatchObject([{ source: 'log', id: 's-1/main/0/0', places: [{ session: 's-1', sequence: 0 }] }]);
    expect((await memory.ask('Who is the vendor of the fuel cards?', { exceptSession: 's-1' })).hits).toEqual([]);
  });

  it('finds the answer behind a question that holds the words', async () => {
    const memory = await openTalkingMemory();
    memory.session(0, ['Who signs off the revenue correction?', 'That would be Marta.', 'Thanks.']);
    const { hits } = await memory.ask('Who signs off the revenue correction?', { floor: false });
    expect(hits.slice(0, 2).map(({ text }) => text)).toContain('That would be Marta.');
    expect(hits.find(({ text }) => text.includes('Marta'))?.why.neighbours).toBeGreaterThan(0);
  });

  it('finds by the day that a thing happened, however it is written', async () => {
    const memory = await openTalkingMemory();
    memory.session(0, ['The queue stalled.']);
    memory.session(8, ['The queue stalled.']);
    const { hits } = await memory.ask('Why did the queue stall on 2026-05-12?');
    expect(hits[0]?.id).toBe('s-2/main/0/0');
    expect((await memory.ask('Why did the queue stall on May 4th?')).hits[0]?.id).toBe('s-1/main/0/0');
  });

  it('answers nothing to a question about what it never heard of', async () => {
    const memory = await openTalkingMemory();
    memory.session(0, ['The load of orders_v2 is retried three times.']);
    memory.note('orders_v2.retry', 'The load of orders_v2 is retried three times.');
    for (const question of [
      'How often is the load of opera_seats retried?',
      'Who composed the Goldberg variations?',
      'What is the mascot of orders_v2?',
      '',
      '?!',
    ])
      expect((await memory.ask(question)).hits).toEqual([]);
    expect((await memory.ask('What is the mascot of orders_v2?')).belowFloor).toBeGreaterThan(0);
  });

  it('takes the newer of two that say the same, and no newer one before a better one', async () => {
    const memory = await openTalkingMemory();
    memory.note('a', 'The nightly export failed for lack of disk.', { day: 1 });
    memory.note('b', 'The nightly export failed for lack of disk.', { day: 5 });
    memory.note('c', 'The export is nightly.', { day: 30 });
    const { hits } = await memory.ask('Why did the nightly export fail for lack of disk?');
    expect(hits.map(({ key }) => key)).toEqual(['b', 'a', 'c'].slice(0, hits.length));
    expect(hits.length).toBeGreaterThanOrEqual(2);
  });

  it('packs whole hits into the budget, and leaves the room of one that is too large to the next', async () => {
    const memory = await openTalkingMemory();
    memory.note('big', `The nightly export failed. ${'It failed for lack of disk and memory. '.repeat(20)}`);
    memory.note('small', 'The nightly export failed for lack of disk.');
    const { hits, tokens } = await memory.ask('Why did the nightly export fail for lack of disk?', { budgetTokens: 60 });
    expect(hits.map(({ key }) => key)).toEqual(['small']);
    expect(tokens).toBe(hits.reduce((sum, hit) => sum + estimateTokens(renderHit(hit)), 0));
    expect(tokens).toBeLessThanOrEqual(60);
  });

  it('can part the budget evenly between notes and log', async () => {
    const memory = await openTalkingMemory();
    for (let place = 0; place < 12; place++) memory.note(`k${place}`, `The nightly export failed for lack of disk on host ${place}.`);
    memory.session(0, ['The nightly export failed again.']);
    const sources = async (split: 'fused' | 'even') =>
      new Set((await memory.ask('Why did the nightly export fail?', { budgetTokens: 160, split })).hits.map(({ source }) => source));
    expect(await sources('even')).toEqual(new Set(['note', 'log']));
  });

  it('keeps to the kinds and the agent that are asked for', async () => {
    const memory = await openTalkingMemory();
    memory.note('a', 'The nightly export failed for lack of disk.', { kind: 'bug', agent: 'one' });
    memory.note('b', 'The nightly export must not run on Sunday.', { kind: 'constraint', agent: 'two' });
    memory.session(0, ['The nightly export failed.']);
    const keys = async (more: object) => (await memory.ask('nightly export', more)).hits.map(({ key }) => key);
    expect(await keys({ kinds: ['constraint'] })).toEqual(['b']);
    expect(await keys({ agent: 'one' })).toEqual(['a']);
    expect(await keys({ sources: 'log' })).toEqual([undefined]);
  });

  it('leaves out expired notes, and calls old ones outdated', async () => {
    const memory = await openTalkingMemory();
    memory.note('a', 'The nightly export failed.', { expires: Date.UTC(2026, 4, 10) });
    memory.note('b', 'The nightly export failed twice.');
    const { hits } = await memory.ask('nightly export', { outdatedAfterMs: 30 * 86_400_000 });
    expect(hits.map(({ key, outdated }) => [key, outdated])).toEqual([['b', true]]);
    expect(renderHit(hits[0]!)).toContain('may be outdated');
  });

  it('is lexical without an embedding model, and says so', async () => {
    const memory = await openTalkingMemory();
    memory.note('a', 'The nightly export failed.');
    const { mode, notices, cost } = await memory.ask('nightly export');
    expect([mode, notices]).toEqual(['lexical', ['recall is lexical: no embedding model is set']]);
    expect(cost.embeddingCalls).toBe(0);
  });

  it('sees one tenant alone', async () => {
    const mine = await openTalkingMemory('mine');
    const theirs = await openTalkingMemory('theirs', mine.folder);
    for (let place = 0; place < 300; place++) theirs.note(`k${place}`, `The nightly export failed ${place} times.`);
    mine.note('a', 'The nightly export failed.');
    expect((await mine.ask('nightly export')).hits.map(({ key }) => key)).toEqual(['a']);
  });

  it.each([
    'Add a retry to ingest.',
    'Add a retry to the ingest task',
    'Make ingest retry on failure',
    'Please add a retry to ingest. It loads what the partners send. Thanks.',
    'We had trouble last night and I was called out of bed at two. Add a retry to ingest. The log of the night is in the usual folder.',
  ])('lets a short task recall what is known of its subject: %s', async (task) => {
    const memory = await openTalkingMemory();
    memory.note('ingest.retry_policy', 'Flat retries caused the duplicate-row incident of 3 May: the load was not idempotent.');
    memory.note('orders.owner', 'Marta signs for what is added to the orders.');
    expect((await memory.ask(task)).hits.map(({ key }) => key)).toEqual(['ingest.retry_policy']);
  });

  it.each(['What went wrong on May 3rd?', 'What happened on 2026-05-03?', 'what broke on 3 May'])(
    'finds what is known of a day by the day alone: %s',
    async (question) => {
      const memory = await openTalkingMemory();
      memory.note('ingest.retry_policy', 'Flat retries caused the duplicate-row incident of 3 May: the load was not idempotent.');
      memory.note('orders.owner', 'Marta signs for what goes wrong with the orders since 13 May.');
      expect((await memory.ask(question)).hits.map(({ key }) => key)).toEqual(['ingest.retry_policy']);
      expect((await memory.ask(question.replace('3', '2'))).hits).toEqual([]);
    },
  );

  it.each(['How long must raw files be kept?', 'How many years shall raw files be kept?', 'Might raw files go before seven years?'])(
    'takes no auxiliary verb for a part of a name: %s',
    async (question) => {
      const memory = await openTalkingMemory();
      memory.note('gdpr.retention', 'Raw landing files have to be kept for seven years.');
      memory.note('crm.soft_delete', 'The CRM marks customers as deleted.');
      expect((await memory.ask(question)).hits.map(({ key }) => key)).toEqual(['gdpr.retention']);
    },
  );

  it('lets a task recall by the topic of a key alone, and a question not', async () => {
    const memory = await openTalkingMemory();
    memory.note('orders.retry_policy', 'Flat retries loaded 412 rows of 3 May twice.');
    memory.session(1, ['The loader of prices is new.', 'I looked at the loader.']);
    expect((await memory.ask('Add a retry to the loader.')).hits.map(({ key }) => key)).toEqual(['orders.retry_policy']);
    expect((await memory.ask('Add a retry to prices_v2.')).hits).toEqual([]);
    expect((await memory.ask('Who wrote the loader?')).hits.filter(({ source }) => source === 'note')).toEqual([]);
    expect((await memory.ask('Which retry has the loader?')).hits.filter(({ source }) => source === 'note')).toEqual([]);
  });

  it('finds words of one family, and what is written as one word or as two', async () => {
    const memory = await openTalkingMemory();
    memory.note('claims.dedupe_key', 'Duplicates in the claims are removed on the invoice number.');
    memory.note('basket.rollout', 'The rollout of the basket happens on Mondays.');
    expect((await memory.ask('On what are the claims deduplicated?')).hits.map(({ key }) => key)).toEqual(['claims.dedupe_key']);
    expect((await memory.ask('How is the basket rolled out?')).hits.map(({ key }) => key)).toEqual(['basket.rollout']);
  });

  it('takes words in a row that it never heard for a name, so that the like about another thing does not answer', async () => {
    const memory = await openTalkingMemory();
    for (const part of ['payment gateway', 'search page', 'mail relay'])
      memory.note(`${part.replace(' ', '_')}.region`, `The ${part} has to be hosted in the region Oregon.`);
    const keys = async (question: string) => (await memory.ask(question)).hits.map(({ key }) => key);
    expect(await keys('In which region is the podcast player hosted?')).toEqual([]);
    expect(await keys('In which region is the fax gateway hosted?')).toEqual([]);
    expect(await keys('Which designer drew the icon of the payment gateway?')).toEqual([]);
    expect((await keys('In which region is the payment gateway hosted?'))[0]).toBe('payment_gateway.region');
  });
});
