import { expect, it } from 'vitest';
import type { ChildConclusion } from '../../src/core/conclusion.ts';
import type { Message } from '../../src/core/message.ts';
import { type ScriptedTurn, scriptedModel } from '../../src/models/scripted.ts';
import { runTeam } from '../support/run-team.ts';

const TWENTY = Array.from({ length: 20 }, (_, index) => ({ goal: `Count table t${index + 1}.`, inputs: { table: `t${index + 1}` } }));
const leading = () =>
  scriptedModel([
    { calls: [{ tool: 'worker', input: { why: 'parallelism', because: 'independent tables', tasks: TWENTY } }] },
    { text: 'Nineteen of twenty.' },
  ]);
const files = {
  'agents/worker.yaml':
    'name: worker\ndescription: Counts one table. Use it for many tables.\ninstructions: Count.\ntools: [count_rows]\nlimits: { turns: 20, seconds: 1, tool_calls: 20 }\n',
};
const failing = (failure: Extract<ScriptedTurn['failure'], object>): (() => ScriptedTurn) => {
  return () => ({ failure });
};

it.each<[string, (messages: readonly Message[]) => ScriptedTurn, ChildConclusion['status'], RegExp]>([
  [
    'crashes',
    () => {
      throw new Error('out of memory');
    },
    'failed',
    /out of memory/,
  ],
  [
    'times out',
    (messages) => (/limit/.test(messages.at(-1)!.content) ? { text: 'I did not get there.' } : { text: 'late', delayMs: 60_000 }),
    'timeout',
    /1 second/,
  ],
  [
    'overflows its window',
    failing({ kind: 'context_overflow', message: 'the prompt has 9000 tokens', promptTokens: 9000, windowTokens: 4096 }),
    'failed',
    /context_overflow: the prompt has 9000 tokens/,
  ],
  ['answers garbage', () => ({ text: '\u0000\ufffd{{{ 4242 ]] <tool_call' }), 'no_evidence', /no tool|without/],
  ['is cancelled', failing({ kind: 'stopped', message: 'the call was stopped' }), 'aborted', /stopped/],
])('nineteen conclusions arrive and the gap is named when one of twenty %s', async (_how, spoiled, status, reason) => {
  const worker = scriptedModel((messages) => {
    const table = /"table":"(\w+)"/.exec(messages[0]!.content)![1]!;
    if (table === 't13') return spoiled(messages);
    const result = messages.find((message) => message.role === 'tool');
    return result
      ? { text: `${table}: ${JSON.parse(result.content).data.rows} rows.` }
      : { calls: [{ tool: 'count_rows', input: { table } }] };
  });
  const leader = leading();
  const { report } = await runTeam({ boss: leader, worker, files });
  const result = JSON.parse(leader.requests[1]!.messages.findLast((message) => message.role === 'tool')!.content);
  expect(result).toMatchObject({ status: 'partial', complete: false, total: 20, returned: 19 });
  const conclusions: { id: string; status: string; text: string }[] = result.data.conclusions;
  expect(conclusions.map((one) => one.id)).toEqual(TWENTY.map((_, index) => `c${index + 1}`));
  expect(conclusions.filter((one) => one.status === 'ok').map((one) => one.text)).toEqual(
    TWENTY.flatMap((_, index) => (index === 12 ? [] : [`t${index + 1}: ${1001 + index} rows.`])),
  );
  expect(conclusions[12]!.status).toBe(status);
  const warning = result.warnings.find((one: { code: string }) => one.code.startsWith('child_'));
  expect(warning.message).toMatch(/c13 .*Count table t13/);
  expect(warning.message).toMatch(reason);
  expect(report.status).toBe('ok');
});
