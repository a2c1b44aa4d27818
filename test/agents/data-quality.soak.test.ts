import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/app/run-report.ts';
import { type AgentAnswer, askAgent } from './ask-agent.ts';

const project = fileURLToPath(new URL('../../examples/nightly-sales', import.meta.url));
const DESIGNS = ['data-quality', 'profile-all', 'data-quality-team'] as const;

const answers = new Map<string, AgentAnswer>();
beforeAll(async () => {
  for (const agent of DESIGNS) answers.set(agent, await askAgent({ agent, question: 'Check all tables.', project }));
});

const answerOf = (agent: string): AgentAnswer => answers.get(agent)!;
const factsOf = ({ findings }: RunReport): string[] =>
  findings
    .filter(({ kind }) => kind === 'observation')
    .map(({ claim }) => claim)
    .sort();

describe('tables looked at by tools of one agent, by a child each, and by a team of four', () => {
  it('all end well, with every table looked at', () => {
    for (const agent of DESIGNS) {
      const { report, conclusions } = answerOf(agent);
      expect({ agent, status: report.status, reason: report.reason }).toEqual({ agent, status: 'ok', reason: undefined });
      expect(conclusions.filter(({ status }) => status !== 'ok').map(({ goal, reason }) => `${goal}: ${reason}`)).toEqual([]);
      expect(report.findings.filter(({ kind, id }) => kind === 'not_checked' && !id.startsWith('source:'))).toEqual([]);
      // SELECT COUNT(*) FROM duckdb_tables() says 26.
      expect(report.answer).toMatch(/^26 tables were profiled; /);
    }
    expect(answerOf('data-quality').conclusions).toHaveLength(0);
    expect(answerOf('profile-all').conclusions).toHaveLength(26);
  });

  it('give the same facts', () => {
    const facts = factsOf(answerOf('data-quality').report);
    expect(facts.length).toBeGreaterThan(26);
    for (const agent of DESIGNS.slice(1)) expect(factsOf(answerOf(agent).report)).toEqual(facts);
  });

  it('give the facts that plain SQL gives', () => {
    // Counted with one plain query each, straight through DuckDB.
    const known = [
      'in `customers` `email` is empty in 7 of 400 rows.',
      'in `payments` 1 exact copy among 1172 rows by key `payment_id`, e.g. 1093, which add 109.23 to the total of `amount`.',
      'in `shipments` `delivered_on` has 3 sentinel dates.',
      'in `inventory_daily` 1 of 720 pairs of `day, store_id` is missing, e.g. 2026-03-02 / 9.',
      '`order_lines` has 2388 rows in 5 columns.',
    ];
    expect(factsOf(answerOf('data-quality').report)).toEqual(expect.arrayContaining(known));
  });

  it('advise the same', () => {
    const advice = (agent: string) => answerOf(agent).report.answer.split('What can be done:')[1]?.split('Nothing odd in')[0];
    expect(advice('data-quality')).toMatch(/`payments`: keep one row of each by key `payment_id`/);
    expect(advice('data-quality-team')).toBe(advice('data-quality'));
  });

  it('keep the details of a table out of the window of an agent that gives it to a child', () => {
    const peak = (agent: string) => answerOf(agent).report.usage.peakContextTokens;
    expect(peak('profile-all')).toBeLessThan(peak('data-quality'));
    for (const { text, usage } of answerOf('profile-all').conclusions) {
      expect(text.split('\n')).toHaveLength(2);
      expect(usage.toolCalls).toBeGreaterThanOrEqual(2);
    }
  });

  it('cite in each conclusion of a child none but its own results', () => {
    for (const { id, text, evidence } of answerOf('profile-all').conclusions) {
      expect(evidence.length).toBeGreaterThan(0);
      for (const one of evidence) expect(one.startsWith(`${id}.r`)).toBe(true);
      expect(text).toContain(`[${id}.r1]`);
    }
  });
});
