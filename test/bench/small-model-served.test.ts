import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runBench } from '../../src/app/bench-run-suite.ts';
import { Scope } from '../../src/core/scope.ts';
import { callsTools, done, type FakeAnswer, fails, part, says } from '../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../src/testing/fake-ollama.ts';
import type { FakeRequest } from '../../src/testing/fake-server.ts';
import { totalsOf } from './totals-of.ts';

type ChatMessage = { readonly role: string; readonly content: string };

/** What a small model does wrong on the wire, one mistake a request; `undefined` ends the list. */
const MISTAKES: readonly ((table: string, sql: string) => FakeAnswer)[] = [
  // A name slightly off, a number in quotes, arguments as text that is JSON twice over.
  () => callsTools(['listTables', JSON.stringify(JSON.stringify({ limit: '20' }))]),
  // Nothing at all, then a call that the server itself cannot read: both are asked for again.
  () => says(''),
  () => fails(500, 'error parsing tool call: raw=\'{"name": query_sql\', err=invalid character'),
  // A call printed as text, with an argument by another name.
  (table) => says(`\`\`\`json\n{"name": "describe_table", "arguments": {"name": "${table}"}}\n\`\`\``),
  // A tool that does not exist.
  (_, sql) => callsTools(['run_the_query', { statement: sql }]),
  // A call after reasoning that stands in the text.
  (_, sql) => ({
    steps: [
      part({ content: '<think>I need SQL.</th' }),
      part({ content: 'ink>' }),
      part({ tool_calls: [{ function: { name: 'query_sql', arguments: { sql } } }] }),
      done(),
    ],
  }),
];

interface Served {
  calls: number;
  input: number;
  output: number;
}

/** Plays both designs; what it says it counted is kept for each. */
function playModel(served: Map<string, Served>) {
  const asked = new Map<string, number>();
  return (request: FakeRequest): FakeAnswer => {
    const messages = request.body.messages as readonly ChatMessage[];
    const design = !messages[0]?.content.includes('answer questions')
      ? 'warm-up'
      : messages[0].content.includes('Call them exactly so')
        ? 'with-examples'
        : 'bare';
    const goal = messages.find(({ role }) => role === 'user')?.content ?? '';
    const table = /`([^`]+)`/.exec(goal)?.[1] ?? '';
    const sql = /paid/.test(goal)
      ? `SELECT count(*) AS paid FROM ${table} WHERE state = 'paid'`
      : `SELECT region, sum(amount) AS total FROM ${table} GROUP BY region ORDER BY total DESC LIMIT 1`;
    // The task names the moment it was given, so each session is told apart by it; a retry has another seed.
    const session = `${design} ${goal}`;
    const turn = asked.get(session) ?? 0;
    asked.set(session, turn + 1);
    const row = /"rows":\[\[([^\]]*)\]\]/.exec(messages.findLast(({ role }) => role === 'tool')?.content ?? '')?.[1];
    const scripted =
      design === 'warm-up'
        ? says('ready')
        : row !== undefined
          ? says(`${row.replaceAll('"', '')} paid, in all`)
          : design === 'bare'
            ? (MISTAKES[turn] ?? MISTAKES.at(-1))?.(table, sql)
            : callsTools(['query_sql', { sql }]);
    return counted(scripted ?? says(''), design, served);
  };
}

/** The answer with counts of its own, which are kept. */
function counted(answer: FakeAnswer, design: string, served: Map<string, Served>): FakeAnswer {
  const sums = served.get(design) ?? { calls: 0, input: 0, output: 0 };
  served.set(design, sums);
  const [input, output] = [200 + 13 * sums.calls, 7 + (sums.calls % 5)];
  sums.calls++;
  if (answer.status === 500) return answer;
  sums.input += input;
  sums.output += output;
  const end = done({ prompt_eval_count: input, eval_count: output });
  return { ...answer, steps: [...(answer.steps ?? []).filter((step) => !('end' in step)), end] };
}

it('runs the suite of malformed calls against a server, and accounts for every request that it saw', async () => {
  const home = mkdtempSync(join(tmpdir(), 'soloist-small-'));
  const served = new Map<string, Served>();
  const server = await startFakeOllama({ chat: playModel(served) });
  try {
    const { report, finished } = await runBench({
      suite: 'small-model',
      folder: home,
      cwd: home,
      environment: { SOLOIST_HOME: home, OLLAMA_HOST: server.host },
      model: 'ollama/fake',
      only: [],
      concurrency: 1,
      fresh: false,
      scope: new Scope(),
    });
    expect(finished).toBe(true);
    expect(report.groups.map(({ timing }) => timing)).toEqual(['measured']);
    expect(report.cells.filter(({ passed }) => !passed).map(({ design, failure, answer }) => ({ design, failure, answer }))).toEqual([]);
    for (const design of ['with-examples', 'bare']) {
      const cells = report.cells.filter((cell) => cell.design === design);
      const add = (of: (usage: (typeof cells)[number]['usage']) => number): number => cells.reduce((sum, { usage }) => sum + of(usage), 0);
      const sums = {
        calls: add((usage) => usage.modelCalls),
        input: add((usage) => usage.inputTokens),
        output: add((usage) => usage.outputTokens),
      };
      expect(sums, design).toEqual(served.get(design));
    }
    const totals = totalsOf(report);
    expect([totals.calls, totals.failed]).toEqual([server.chats.length, 10 * 2]);
    // Of each run of the bare design: a name, a coerced number, an argument's name, and a tool that is not there.
    expect(report.cells.filter(({ design }) => design === 'bare').map(({ usage }) => usage.badCalls)).toEqual(Array(10).fill(3));
    expect(report.cells.filter(({ design }) => design === 'with-examples').map(({ usage }) => usage.badCalls)).toEqual(Array(10).fill(0));
  } finally {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}, 60_000);
