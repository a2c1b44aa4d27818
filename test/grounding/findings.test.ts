import { describe, expect, it } from 'vitest';
import { scriptedModel } from '../../src/models/scripted.ts';
import { runTeam } from '../support/run-team.ts';

const agent = (grounding: string): Readonly<Record<string, string>> => ({
  'agents/boss.yaml': `name: boss\ndescription: Leads.\ninstructions: Lead.\ntools: [count_rows, record_finding]\ngrounding: ${grounding}\n`,
});

/** Table t500 has 1500 rows: the tool answers 1000 and the number of the table. */
function claiming(claim: string) {
  return scriptedModel([
    { calls: [{ tool: 'count_rows', input: { table: 't500' } }] },
    { calls: [{ tool: 'record_finding', input: { claim, evidence: ['r1'], kind: 'observation', confidence: 'high' } }] },
    { text: 'Counted [r1].' },
  ]);
}

async function findingsOf(grounding: string, claim: string) {
  const boss = claiming(claim);
  const { report } = await runTeam({ boss, worker: boss, files: agent(grounding) });
  expect(report.status).toBe('ok');
  return report.findings.filter(({ kind }) => kind === 'observation');
}

describe('the figures of a recorded finding', () => {
  it('are left as they are where a result holds them', async () => {
    const claim = 'The table t500 has 1500 rows.';
    const [finding] = await findingsOf('strict', claim);
    expect(finding).toMatchObject({ claim });
    expect(finding).not.toHaveProperty('unsupported');
  });

  it('are marked in the claim of a strict agent where none does', async () => {
    expect(await findingsOf('strict', 'The table t500 has 7310 rows.')).toMatchObject([
      { claim: 'The table t500 has 7310 (unsupported) rows.', unsupported: ['7310'] },
    ]);
  });

  it('are named beside the claim where the agent only reports', async () => {
    const claim = 'The table t500 has 7310 rows.';
    expect(await findingsOf('report', claim)).toMatchObject([{ claim, unsupported: ['7310'] }]);
    expect((await findingsOf('off', claim))[0]).not.toHaveProperty('unsupported');
  });
});
