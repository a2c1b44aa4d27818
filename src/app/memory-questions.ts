import type { RecallHit } from '../core/recall.ts';
import { overlap } from '../memory/normalise-fact.ts';
import { ageOf } from '../memory/render-recalled.ts';
import type { ProjectMemory } from './memory-project.ts';

/** From this share of common words on, an earlier question is the same as ours. */
const ASKED_BEFORE = 0.8;
const OUTDATED_AFTER_MS = 90 * 86_400_000;

/**
 * That something was asked before tells nothing by itself: what that session left as notes takes the place of its question. A question that
 * says more than ours stays.
 */
export function answersForQuestions(
  { store: { notes } }: Pick<ProjectMemory, 'store'>,
  hits: readonly RecallHit[],
  { question, now }: { question: string; now: number },
): readonly RecallHit[] {
  const known = new Set(hits.map(({ id }) => id));
  return hits.flatMap((hit) => {
    const [place] = hit.places;
    if (hit.source !== 'log' || !place || place.agent !== 'main' || place.sequence !== 0 || overlap(hit.text, question) < ASKED_BEFORE)
      return [hit];
    const left = notes.list({ session: place.session, statuses: ['current'] }).filter(({ id }) => !known.has(id));
    return left.map((note): RecallHit => {
      known.add(note.id);
      const { id, text, agent, key, kind, created: at, conflictsWith, provenance: places } = note;
      const because = `the session that left it was asked the same on ${new Date(hit.at).toISOString().slice(0, 10)}`;
      const outdated = now - note.lastConfirmed > OUTDATED_AFTER_MS;
      return {
        source: 'note',
        id,
        text,
        at,
        age: ageOf(at, now),
        agent,
        outdated,
        key,
        kind,
        note,
        conflictsWith,
        places,
        why: { ...hit.why, because },
      };
    });
  });
}
