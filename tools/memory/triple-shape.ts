import { z } from 'zod';
import type { Triple } from '../../src/core/triple.ts';

export const tripleShape = z.object({
  id: z.string(),
  subject: z.string(),
  relation: z.string(),
  object: z.string(),
  valid_from: z.string().optional(),
  valid_until: z.string().optional(),
  said_by: z.string(),
  session: z.string(),
});

export function shownTriple({ id, subject, relation, object, validFrom, validUntil, agent, place }: Triple): z.output<typeof tripleShape> {
  return {
    ...{ id, subject, relation, object },
    ...(validFrom === undefined ? {} : { valid_from: dayOf(validFrom) }),
    ...(validUntil === undefined ? {} : { valid_until: dayOf(validUntil) }),
    said_by: agent,
    session: place.session,
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
