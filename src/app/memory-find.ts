import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { Note } from '../core/note.ts';
import type { ProjectMemory } from './memory-project.ts';

const MOST_NAMED = 5;

/**
 * The note of an id, of the beginning of an id that only one has, or the one that is current under a key.
 *
 * @throws SoloistError `not_found`, or `usage` where several fit.
 */
export function findNote({ store: { notes } }: ProjectMemory, reference: string): Note {
  const exact = notes.get(reference);
  if (exact) return exact;
  const current = notes.current(reference);
  if (current.length === 1) return current[0] as Note;
  if (current.length > 1) throw several(`the key "${reference}" holds ${current.length} notes`, current);
  const last = notes.chain(reference).at(-1);
  if (last) return last;
  const all = notes.list();
  const begun = /^n-./.test(reference) ? all.filter(({ id }) => id.startsWith(reference)) : [];
  const [only] = begun;
  if (only && begun.length === 1) return only;
  if (begun.length > 1) throw several(`several notes begin with "${reference}"`, begun);
  const names = [...new Set(all.map(({ key }) => key))];
  const fix =
    all.length === 0 ? 'there is none yet: a run may leave some, or write one with `soloist memory add`' : suggestName(reference, names);
  throw new SoloistError('not_found', `there is no note "${reference}"`, { fix });
}

function several(fact: string, notes: readonly Note[]): SoloistError {
  const named = notes.slice(0, MOST_NAMED).map(({ id }) => id);
  return new SoloistError('usage', `${fact}: ${named.join(', ')}${notes.length > MOST_NAMED ? ' and others' : ''}`, {
    fix: 'name one by its id',
  });
}
