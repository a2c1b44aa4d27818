import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { evaluateSet, type SetResult } from '../../bench/memory/evaluate-set.ts';
import { makeConversation } from '../../bench/memory/make-conversation.ts';
import { makeFixture } from '../../bench/memory/make-fixture.ts';
import { parseQuestionSet, type QuestionSetInput, readQuestionSet } from '../../bench/memory/question-set.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-evaluate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const SMALL: QuestionSetInput = {
  name: 'small',
  sessions: [{ id: 's1', at: '2026-05-04T09:00:00Z', turns: [{ id: 't1', text: 'The prices land at noon.' }] }],
  facts: [{ id: 'f1', key: 'prices.landing', text: 'The prices land at noon.', at: 0, turns: ['t1'] }],
  questions: [{ id: 'q1', question: 'When do the prices land?', turns: ['t1'] }],
};

describe('the measure of question sets', () => {
  it('puts the log of two people, by words alone, before plain FTS5', async () => {
    const set = parseQuestionSet(makeConversation({ seed: 1, turns: 20 }));
    expect(new Set(set.questions.map(({ kind }) => kind))).toEqual(new Set(['one turn', 'several turns', 'time', 'day', 'unanswerable']));
    const result = await evaluateSet(set, { folder: mkdtempSync(join(folder, 'set-')), embedding: undefined });
    const [plain, log] = result.arms;
    expect([plain?.arm, log?.arm]).toEqual(['plain FTS5, turns', 'log alone']);
    expect(log?.ndcg10).toBeGreaterThan((plain?.ndcg10 ?? 1) + 0.03);
    expect(log?.recall10).toBeGreaterThanOrEqual(plain?.recall10 ?? 1);
    expect(log?.covered1024).toBeGreaterThan(0.9);
    expect(result.abstained).toMatchObject({ of: 10, notes: 10 });
  });

  it('does not fall behind plain FTS5 where a conversation is long and most of it is small talk', async () => {
    const set = parseQuestionSet(makeConversation({ seed: 1, sessions: 160, turns: 34 }));
    const { arms } = await evaluateSet(set, { folder: mkdtempSync(join(folder, 'set-')), embedding: undefined });
    const [plain, log] = arms;
    expect(log?.recall10).toBeGreaterThanOrEqual(plain?.recall10 ?? 1);
    expect(log?.ndcg10).toBeGreaterThan((plain?.ndcg10 ?? 1) + 0.03);
  });

  it('asks an Ollama server for vectors of the facts, in a program of its own', async () => {
    const server = await startFakeOllama({ tags: ['nomic-embed-text:latest'], embed: { dimensions: 64 } } as never);
    const fixture = makeFixture(5);
    const set = file('fixture.json', JSON.stringify({ ...fixture, questions: fixture.questions.slice(0, 20) }));
    const out = await new Promise<string>((resolve, reject) =>
      execFile(
        process.execPath,
        ['--import', 'tsx', 'bench/memory/evaluate.ts', set, '--embedding', 'ollama/nomic-embed-text', '--json'],
        { env: { ...process.env, OLLAMA_HOST: server.host } },
        (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)),
      ),
    );
    await server.close();
    const [result] = JSON.parse(out) as SetResult[];
    expect(result?.arms.map(({ arm }) => arm)).toContain('fused');
    expect(result?.weight).toBeGreaterThanOrEqual(0);
    expect(result?.arms.every(({ covered256, covered1024 }) => covered256 !== undefined && covered1024 !== undefined)).toBe(true);
  }, 60_000);

  it.each([
    ['a turn without a text', { sessions: [{ id: 's1', at: 0, turns: [{ id: 't1' }] }] }, /sessions\[0\]\.turns\[0\]\.text: /],
    ['a time that is none', { sessions: [{ id: 's1', at: 'soon', turns: [] }] }, /sessions\[0\]\.at: not a time/],
    [
      'evidence that nobody said',
      { questions: [{ id: 'q', question: '?', turns: ['t9'] }] },
      /questions\[0\]\.turns: there is no turn "t9"/,
    ],
    [
      'a stale fact that is not there',
      { questions: [{ id: 'q', question: '?', stale: ['f9'] }] },
      /questions\[0\]\.stale: there is no fact "f9"/,
    ],
    ['no questions', { questions: [] }, /questions: there is none/],
    [
      'one id for two turns',
      { sessions: [...SMALL.sessions, { ...SMALL.sessions[0], id: 's2' }] },
      /the turn id "t1" is given twice; make it unique/,
    ],
  ])('says what is wrong with %s, where, and what to do', (_, change, message) => {
    const set = file('wrong.json', JSON.stringify({ ...SMALL, ...change }));
    expect(() => readQuestionSet(set)).toThrow(message);
    expect(() => readQuestionSet(set)).toThrow(/wrong\.json is no question set; its form is in docs\/memory\.md/);
  });

  it('says that a file is missing or no JSON, and reads one that is right', () => {
    expect(() => readQuestionSet(join(folder, 'none.json'))).toThrow(/none\.json cannot be read/);
    expect(() => readQuestionSet(file('text.json', 'name: small'))).toThrow(/text\.json is no JSON/);
    expect(() => readQuestionSet(file('list.json', '[]'))).toThrow(/the file: /);
    expect(readQuestionSet(file('small.json', `\uFEFF${JSON.stringify(SMALL)}`)).questions[0]?.answerable).toBe(true);
  });
});
