import { expect, it } from 'vitest';
import type { Conclusion } from '../../src/core/conclusion.ts';
import { judgeConclusion } from '../../src/delegation/judge-conclusion.ts';

const usage = { modelCalls: 2, toolCalls: 1, inputTokens: 10, outputTokens: 5, peakContextTokens: 10, wallMs: 1 };

function judged(text: string, result: string): Conclusion {
  const conclusion: Conclusion = { status: 'ok', text, evidence: ['c1.r1'], findings: [], usage, model: 'scripted' };
  return judgeConclusion(conclusion, { resultIds: ['c1.r1'], results: [result], task: 'Count.', hasTools: true });
}

it('finds a figure in a list of numbers, where a comma parts two of them', () => {
  expect(judged('1 of 720 pairs is missing.', '{"rows":[[1,720]]}').status).toBe('ok');
  expect(judged('588 rows, 132 missing.', '{"rows":[[588,132,0.25]]}').status).toBe('ok');
  expect(judged('721 pairs.', '{"rows":[[1,720]]}')).toMatchObject({ status: 'no_evidence', reason: expect.stringContaining('721') });
});

it('finds a figure that a text writes with a comma for thousands', () => {
  expect(judged('1720 rows.', '{"note":"read 1,720 rows"}').status).toBe('ok');
  expect(judged('1,720 rows.', '{"rows":1720}').status).toBe('ok');
});
