import { BEGIN, cause, closedSession, DAY, openDesk } from './closed-session.ts';

/**
 * Appends closed sessions and projects them until it is killed or has done all; prints `written N` once a session is on disk and
 * `projected` after each projection. Arguments: folder, how many sessions, a name for them.
 */
const [folder = '', count = '0', name = 's'] = process.argv.slice(2);
const desk = await openDesk({ folder });
for (let number = 0; number < Number(count); number++) {
  const session = `${name}-${number}`;
  if ([...desk.log.read(session)].length === 0) {
    const at = BEGIN + number * DAY;
    const findings = [cause(`Flat retries of \`ingest\` loaded ${number} rows a second time in ${name}.`)];
    desk.log.append(
      closedSession({
        session,
        at,
        findings,
        proposals: [{ key: `ingest.tries_${name}`, text: `Retries of ingest stop after ${number} tries.` }],
      }),
    );
  }
  process.stdout.write(`written ${number}\n`);
  await desk.project();
  process.stdout.write('projected\n');
}
desk.log.close();
desk.memory.close();
