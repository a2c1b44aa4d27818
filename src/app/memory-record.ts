import { SoloistError } from '../core/errors.ts';
import { newSessionId } from '../core/ids.ts';
import type { LoggedNote, MemoryEventBody } from '../core/memory-event.ts';
import type { LogPlace, Note } from '../core/note.ts';
import { MEMORY_PATH } from '../memory/session-facts.ts';
import type { ProjectMemory } from './memory-project.ts';

/** What notes say of whom they come from, where a person wrote them. */
export const PERSON = 'person';

/** Puts what a person or a clean-up does on record, in a session of its own that nothing else writes to; answers the place. */
export function recordMemory({ log }: Pick<ProjectMemory, 'log'>, body: MemoryEventBody, now: Date): LogPlace {
  const place = { session: newSessionId(now.getTime()), agent: MEMORY_PATH, step: 0, sequence: 0 };
  log.append([{ ...place, round: 1, at: now.getTime(), body }]);
  return place;
}

/** Puts many on record in one session, some at a time, so that nobody waits long for the lock. */
export function recordAll(
  { log }: Pick<ProjectMemory, 'log'>,
  bodies: readonly MemoryEventBody[],
  { now, atOnce }: { readonly now: Date; readonly atOnce: number },
): void {
  const at = now.getTime();
  const place = { session: newSessionId(at), agent: MEMORY_PATH, step: 0, round: 1, at };
  const events = bodies.map((body, sequence) => ({ ...place, sequence, body }));
  for (let from = 0; from < events.length; from += atOnce) log.append(events.slice(from, from + atOnce));
}

/** Records a note and takes it in; answers it as it now stands. @throws SoloistError `refused` where another process takes long to let us. */
export async function recordNote(memory: ProjectMemory, note: LoggedNote, now: Date): Promise<Note> {
  const place = recordMemory(memory, { type: 'note.written', note }, now);
  await memory.catchUp({ now: () => now });
  const written = memory.store.notes
    .chain(note.key)
    .find(({ provenance }) => provenance.some(({ session, agent }) => session === place.session && agent === MEMORY_PATH));
  if (written) return written;
  throw new SoloistError(
    'refused',
    `another process is making the notes again: the note under "${note.key}" is on record and not shown yet`,
    {
      fix: 'do not write it again; see `soloist memory stats` for what waits',
    },
  );
}
