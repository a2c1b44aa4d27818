import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/event.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';
import { runCli } from '../support/run-cli.ts';
import { workedExample } from './audit-events.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-audit-'));
  writeFileSync(join(folder, 'soloist.yaml'), 'name: audited\n');
  const log = await openEventLog({ folder: join(folder, '.soloist'), tenant: 'local' });
  for (const [place, session] of ['s-a1', 's-a2', 's-b1'].entries()) log.append(later(workedExample(session), place * 10_000));
  log.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const later = (events: readonly Event[], by: number): Event[] => events.map((event) => ({ ...event, at: event.at + by }));
const audit = (...argv: string[]) => runCli(['audit', ...argv], { cwd: folder, environment: { SOLOIST_HOME: '' } });

describe('soloist audit', () => {
  it('audits one session by id, beginning, or place from the latest', async () => {
    const [byId, byStart, latest] = await Promise.all([audit('s-a1', '--json'), audit('s-b', '--json'), audit('-1', '--json')]);
    expect(JSON.parse(byId.stdout)).toMatchObject({
      ...{ session: 's-a1', agent: 'boss', status: 'ok' },
      delegations: [{ agent: 'worker', verdict: 'paid', inline: { modelCalls: 3, inputTokens: 6400, peakContextTokens: 2950 } }],
    });
    expect(JSON.parse(byStart.stdout).session).toBe('s-b1');
    expect(JSON.parse(latest.stdout).session).toBe('s-b1');
  });

  it('shows the verdict, the claims, the cost and the counterfactual', async () => {
    const { stdout, code } = await audit('-1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Session s-b1 of boss \(ok\): 1 of 1 delegations paid\./);
    expect(stdout).toMatch(/\*\*worker\*\* \(r1, 2 tasks\) for parallelism: \*\*paid\*\*/);
    expect(stdout).toMatch(/5 model calls, 4700 tokens in, 180 out, 1\.0 s.*Inline: 3 model calls, 6400 tokens in, peak window 2950/);
  });

  it('adds up all sessions by agent', async () => {
    const [json, text] = await Promise.all([audit('--all', '--json'), audit('--all')]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      sessions: 3,
      agents: [{ agent: 'worker', sessions: 3, delegations: 3, paid: 3, inputTokens: 14_100, recommendation: 'keep' }],
    });
    expect(text.stdout).toMatch(/\*\*worker\*\*: \*\*keep\*\*\. 3 of 3 delegations paid/);
  });

  it('judges by the thresholds of the project', async () => {
    writeFileSync(join(folder, 'soloist.yaml'), 'name: audited\naudit: { parallel_speedup: 3, delegations_to_judge: 4 }\n');
    const [one, all] = await Promise.all([audit('-1', '--json'), audit('--all', '--json')]);
    writeFileSync(join(folder, 'soloist.yaml'), 'name: audited\n');
    expect(JSON.parse(one.stdout).delegations[0].verdict).toBe('did not pay');
    expect(JSON.parse(all.stdout).agents[0]).toMatchObject({ paid: 0, reason: 'too few to judge: 3 of the 4 delegations needed' });
  });

  it('says what to do where the session is unclear', async () => {
    const [none, both, several] = await Promise.all([audit(), audit('s-a1', '--all'), audit('s-a')]);
    expect([none.code, both.code, several.code]).toEqual([2, 2, 2]);
    expect(none.stderr).toMatch(/no session is named.*soloist audit -1/s);
    expect(both.stderr).toMatch(/exclude each other/);
    expect(several.stderr).toMatch(/s-a1, s-a2/);
  });
});
