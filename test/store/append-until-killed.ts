import { openEventLog } from '../../src/store/open-event-log.ts';

/**
 * Appends batches of three events to a session of its own until it is killed or its time is over, and prints the last
 * sequence of each batch once `append` has returned. Arguments: folder, session, milliseconds.
 */
const [folder = '', session = '', milliseconds = '600000'] = process.argv.slice(2);
const log = await openEventLog({ folder, tenant: 'local', busyTimeoutMs: 20_000 });
const until = Date.now() + Number(milliseconds);
for (let sequence = 0; Date.now() < until; sequence += 3) {
  const place = { session, round: 1, step: sequence, agent: 'main', at: Date.now() };
  log.append([
    sequence === 0
      ? {
          ...place,
          sequence,
          body: { type: 'session.opened', project: 'p', agent: 'a', question: 'q', model: 'm', version: '1', sources: [] },
        }
      : { ...place, sequence, body: { type: 'user.said', content: `a ${sequence}`, why: 'nudge' } },
    { ...place, sequence: sequence + 1, body: { type: 'user.said', content: `b ${sequence} `.repeat(300), why: 'nudge' } },
    {
      ...place,
      sequence: sequence + 2,
      body: { type: 'user.said', content: `c ${sequence} `.repeat(sequence % 30 === 0 ? 4000 : 1), why: 'nudge' },
    },
  ]);
  process.stdout.write(`${sequence + 2}\n`);
}
log.close();
