import { afterAll, describe, expect, it } from 'vitest';
import type { EventBody } from '../../src/core/event.ts';
import { searchWords } from '../../src/core/search-words.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';
import { bytesOf, cleanUp, eventAt, newFolder, opened, openLog } from './log-folder.ts';

const stores: MemoryStore[] = [];
afterAll(() => {
  for (const store of stores) store.close();
  cleanUp();
});

const USAGE = { modelCalls: 1, toolCalls: 0, inputTokens: 1, outputTokens: 1, peakContextTokens: 1, wallMs: 1 };

function replied(content: string): EventBody {
  return {
    type: 'model.replied',
    message: { role: 'assistant', content },
    finish: 'stop',
    usage: { inputTokens: 1, outputTokens: 1, loadMs: 0, promptMs: 0, generateMs: 0, wallMs: 0 } as never,
  };
}

function concluded(text: string): EventBody {
  return { type: 'agent.concluded', conclusion: { status: 'ok', text, evidence: [], findings: [], usage: USAGE, model: 'm' } };
}

function finished(tool: string, content: string): EventBody {
  return { type: 'tool.finished', callId: 'k', resultId: 'r1', tool, status: 'ok', complete: true, content, elapsedMs: 1 };
}

async function memoryOf(events: readonly EventBody[], tenant = 'local') {
  const folder = newFolder();
  const log = await openLog({ folder, tenant });
  log.append(events.map((body, place) => eventAt(place, body)));
  const memory = await openMemory({ folder, tenant });
  stores.push(memory);
  const find = (text: string, groups: readonly ('log' | 'results')[] = ['log', 'results']) => {
    const hits = memory.words.search({ words: searchWords(text), groups, limit: 50 });
    const pieces = memory.words.pieces(hits.map(({ number }) => number));
    return hits.flatMap(({ number }) => pieces.find(({ piece }) => piece === number) ?? []);
  };
  return { folder, log, memory, find };
}

describe('the index of the log', () => {
  it('holds questions, replies, conclusions and results, each with who said it and where it stands', async () => {
    const { memory, find } = await memoryOf([
      opened('why are there duplicates'),
      { type: 'agent.started', agent: 'investigator', model: 'm', task: { goal: 'g' }, tools: [] },
      replied('Looking for duplicates in orders.'),
      finished('query_sql', 'duplicates: 12'),
      finished('recall', 'duplicates remembered'),
      concluded('The duplicates come from retries.'),
    ]);
    expect(memory.indexer.fill()).toEqual({ events: 6, lag: 0 });
    expect(
      find('duplicate')
        .map(({ origin, speaker, from }) => [origin, speaker, from.sequence])
        .sort(),
    ).toEqual([
      ['conclusion', 'investigator', 5],
      ['question', 'user', 0],
      ['reply', 'investigator', 2],
      ['result', 'query_sql', 3],
    ]);
    expect(find('duplicate', ['log']).length).toBe(3);
  });

  it('parts long texts into pieces of at most 600 characters and into statements', async () => {
    const sentences = Array.from({ length: 40 }, (_, place) => `Sentence number ${place} speaks of the table t${place}.`);
    const { memory, find } = await memoryOf([replied(sentences.join(' '))]);
    memory.indexer.fill();
    const found = find('t17');
    expect(found.map(({ level }) => level).sort()).toEqual(['piece', 'statement']);
    expect(found.find(({ level }) => level === 'statement')?.text).toBe(sentences[17]);
    expect(found.find(({ level }) => level === 'piece')?.text.length).toBeLessThanOrEqual(600);
    expect(found[0]?.within).toBe(found[1]?.within);
  });

  it('finds a text by its day, however the day is written', async () => {
    const { memory } = await memoryOf([replied('The incident of 3 May was a retry.')]);
    memory.indexer.fill();
    const find = (words: string[]) => memory.words.search({ words, groups: ['log'], limit: 5 }).length;
    // 1_750_000_000_000 is 2025-06-15 in UTC: what it calls the 3rd of May is the nearest one.
    expect([find(['anyyear0503']), find(['day20250615']), find(['month202506']), find(['day20250616'])]).toEqual([1, 1, 1, 0]);
    expect([find(['day20250503']), find(['month202505']), find(['day20240503'])]).toEqual([1, 1, 0]);
  });

  it('goes on where it stopped, and adds nothing when there is nothing new', async () => {
    const { log, memory, find } = await memoryOf([replied('alpha'), replied('beta'), replied('gamma')]);
    expect(memory.indexer.fill(2)).toEqual({ events: 2, lag: 1 });
    expect([find('alpha').length, find('gamma').length]).toEqual([1, 0]);
    expect(memory.indexer.fill()).toEqual({ events: 1, lag: 0 });
    log.append([eventAt(3, replied('delta'))]);
    expect(memory.indexer.lag()).toBe(1);
    memory.indexer.fill();
    expect(memory.indexer.fill()).toEqual({ events: 0, lag: 0 });
    expect(['alpha', 'beta', 'gamma', 'delta'].map((word) => find(word).length)).toEqual([1, 1, 1, 1]);
    memory.indexer.reset();
    expect(find('alpha')).toEqual([]);
    memory.indexer.fill();
    expect(find('alpha').length).toBe(1);
  });

  it('keeps a reply that the conclusion repeats once, at the conclusion', async () => {
    const { memory, find } = await memoryOf([replied('Retries did it.'), concluded('Retries did it.')]);
    memory.indexer.fill();
    expect(find('retry').map(({ origin }) => origin)).toEqual(['conclusion']);
  });

  it('never shows a tenant what another said, however much that is', async () => {
    const { folder, memory, find } = await memoryOf([replied('our retry')]);
    const theirs = await openLog({ folder, tenant: 'big' });
    theirs.append(Array.from({ length: 300 }, (_, place) => eventAt(place, replied('retry retry retry'))));
    const big = await openMemory({ folder, tenant: 'big' });
    stores.push(big);
    big.indexer.fill();
    memory.indexer.fill();
    expect(find('retry').map(({ text }) => text)).toEqual(['our retry']);
  });
});

describe('a correction of the log', () => {
  const secret = 'the zebra-quagga incident';
  const long = `${secret}. ${'An unrelated sentence fills the payload. '.repeat(600)}`;

  it('blanks an event for good: body, index, payload, bytes of the file', async () => {
    const { folder, log, memory, find } = await memoryOf([opened(`why ${secret}`), replied(secret), replied(long), replied('kept')]);
    memory.indexer.fill();
    expect(find('zebra').length).toBeGreaterThan(2);
    const places = [0, 1, 2].map((sequence) => ({ session: 's1', agent: 'main', step: sequence, sequence }));
    const gone = memory.corrections.tombstone(places, 5);
    expect(gone).toMatchObject({ events: 3, payloads: 1 });
    expect(gone.pieces).toBeGreaterThan(3);
    memory.corrections.vacuum();
    expect(find('zebra')).toEqual([]);
    expect(find('kept').length).toBe(1);
    expect([...log.read('s1')].map(({ body }) => body.type)).toEqual(['session.opened', 'model.replied', 'model.replied', 'model.replied']);
    expect([...log.read('s1')][1]?.body).toMatchObject({ message: { role: 'assistant', content: '[forgotten]' }, finish: 'stop' });
    expect(log.findSession('s1').question).toBe('[forgotten]');
    log.close();
    memory.close();
    const bytes = bytesOf(folder);
    for (const word of ['zebra', 'quagga', secret]) expect(bytes.includes(word)).toBe(false);
  });

  it('cleans what a new rule finds, in bodies and payloads, and says nothing of the rest', async () => {
    const { folder, log, memory, find } = await memoryOf([opened('q'), replied(secret), replied(long), replied('kept')]);
    memory.indexer.fill();
    const clean = (text: string) => text.replaceAll(/zebra-quagga/g, '[redacted:animal]');
    expect(memory.corrections.rewrite(clean, 5)).toEqual({ events: 2, payloads: 1 });
    expect(memory.corrections.rewrite(clean, 6)).toEqual({ events: 0, payloads: 0 });
    memory.corrections.vacuum();
    expect([...log.read('s1')][2]?.body).toMatchObject({ message: { content: long.replace('zebra-quagga', '[redacted:animal]') } });
    expect(find('zebra')).toEqual([]);
    expect(find('incident').length).toBeGreaterThan(1);
    log.close();
    memory.close();
    expect(bytesOf(folder).includes('quagga')).toBe(false);
  });
});
