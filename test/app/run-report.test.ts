import { expect, it } from 'vitest';
import { startReport } from '../../src/app/run-report.ts';
import { DEFAULT_THRESHOLDS } from '../../src/core/audit-thresholds.ts';
import type { EventBody } from '../../src/core/event.ts';
import { readSession } from '../../src/trace/read-session.ts';

const costing = (cost: number) => ({ inputTokens: 1, outputTokens: 1, totalMs: 1, cost });
const recall = (content: string): EventBody => ({
  ...{ type: 'tool.finished', callId: 'c', resultId: 'r1', tool: 'recall', status: 'ok', complete: true, content, elapsedMs: 1 },
});
const conclusion = {
  status: 'ok',
  ...{ text: '', findings: [], evidence: [], model: 'm' },
  usage: { modelCalls: 1, toolCalls: 1, inputTokens: 1, outputTokens: 1, peakContextTokens: 2, wallMs: 1 },
} as const;
const bodies: readonly EventBody[] = [
  { type: 'plan.made', steps: [], by: 'm', usage: costing(1) },
  { type: 'model.replied', message: { role: 'assistant', content: '' }, finish: 'stop', usage: costing(2) },
  { type: 'context.fitted', beforeTokens: 9, shortened: [], compacted: { from: 0, messages: 2, summary: '', by: 'm', usage: costing(4) } },
  { type: 'answer.reflected', round: 1, done: true, readable: true, by: 'm', usage: costing(8) },
  recall('{"data":{"cost":{"embedding_calls":1,"embedding_tokens":3,"money":16}}}'),
  recall('{"data":{"mode":"lexical","hits":[]}}'),
  recall('no JSON'),
];

it('counts the money of plans, summaries, critics and recall, and tells embeddings apart', () => {
  const report = startReport({ sources: [], thresholds: DEFAULT_THRESHOLDS, round: 1 });
  const events = bodies.map((body, sequence) => ({ session: 's-1', round: 1, step: 1, agent: 'main', sequence, at: 1, body }));
  for (const event of events) report.take(event);
  const told = report.finish({ session: 's-1', agent: 'a', conclusion, modelChoice: undefined, written: [] });
  expect(told).toMatchObject({ usage: { cost: 31 }, embeddings: { calls: 1, tokens: 3, cost: 16 } });
  expect(readSession('s-1', events)).toMatchObject({ cost: 31, embeddings: { calls: 1, tokens: 3, cost: 16 } });
});
