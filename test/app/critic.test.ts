import { expect, it } from 'vitest';
import { scriptedModel } from '../../src/models/scripted.ts';
import { runTeam } from '../support/run-team.ts';

const files = {
  'agents/boss.yaml':
    'name: boss\ndescription: Leads.\ninstructions: Lead.\ntools: [count_rows]\nlimits: { turns: 200, tokens: 4000000, context: 1200, output: 200 }\n',
};
const counting = () =>
  scriptedModel((_messages, _opening, turn) =>
    turn < 60 ? { calls: [{ tool: 'count_rows', input: { table: `t${turn + 1}` } }] } : { text: 'Counted [r60].' },
  );
const fits = (events: Awaited<ReturnType<typeof runTeam>>['events']) =>
  events.flatMap(({ body }) => (body.type === 'context.fitted' && body.compacted ? [body.compacted] : []));

it('sums up the turns that no longer fit, in the words of the critic', async () => {
  const critic = scriptedModel(() => ({ text: 'All tables held 1000 and more rows [r1].' }), { id: 'small' });
  const boss = counting();
  const { report, events } = await runTeam({ boss, worker: boss, critic, files });
  expect(report.status).toBe('ok');
  expect(fits(events).length).toBeGreaterThan(0);
  for (const one of fits(events))
    expect(one).toMatchObject({ by: 'small', summary: expect.stringMatching(/All tables held 1000 and more rows/) });
  expect(critic.requests[0]!.messages[0]!.content).toMatch(/r1 count_rows {"table":"t1"} → ok: {"rows":1001}/);
  expect(critic.requests[0]!.withTools).toBe(false);
});

it('takes the digest where the critic gives nothing', async () => {
  const boss = counting();
  const { report, events } = await runTeam({ boss, worker: boss, critic: scriptedModel([]), files });
  expect(report.status).toBe('ok');
  for (const one of fits(events)) expect(one).toMatchObject({ by: 'digest', summary: expect.stringMatching(/r\d+ count_rows/) });
});
