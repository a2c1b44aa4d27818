import { NOTE_KINDS, type NoteKind, type NoteStore } from '../core/note.ts';

const DAY_MS = 86_400_000;

/** Ids of notes whose time is over: past their own date, or not confirmed for as long as notes of their kind are kept. */
export function expiredNotes(notes: NoteStore, retention: Readonly<Partial<Record<NoteKind, number>>>, now: number): readonly string[] {
  const statuses = ['current', 'flagged', 'superseded'] as const;
  const dated = notes.list({ expiredAt: now, statuses });
  const kept = NOTE_KINDS.flatMap((kind) => {
    const days = retention[kind];
    if (days === undefined) return [];
    const since = now - days * DAY_MS;
    return notes.list({ kinds: [kind], statuses, createdBefore: since }).filter(({ lastConfirmed }) => lastConfirmed < since);
  });
  return [...new Set([...dated, ...kept].map(({ id }) => id))];
}
