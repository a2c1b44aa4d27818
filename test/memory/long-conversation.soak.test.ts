import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { evaluateSet } from '../../bench/memory/evaluate-set.ts';
import { makeConversation } from '../../bench/memory/make-conversation.ts';
import { parseQuestionSet } from '../../bench/memory/question-set.ts';

const folder = mkdtempSync(join(tmpdir(), 'soloist-conversation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the measure of a long question set', () => {
  it('does not fall behind plain FTS5 where a conversation is long and most of it is small talk', async () => {
    const set = parseQuestionSet(makeConversation({ seed: 1, sessions: 160, turns: 34 }));
    const { arms } = await evaluateSet(set, { folder: mkdtempSync(join(folder, 'set-')), embedding: undefined });
    const [plain, log] = arms;
    expect(log?.recall10).toBeGreaterThanOrEqual(plain?.recall10 ?? 1);
    expect(log?.ndcg10).toBeGreaterThan((plain?.ndcg10 ?? 1) + 0.03);
  });
});
