import { z } from 'zod';
import { nearestName } from '../../src/core/nearest.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, refused } from '../../src/core/tool-result.ts';
import { noMemory, notAllowed } from './no-memory.ts';

/** Puts on record that a fact should outlive the session; the gate decides when the session is closed. */
export const remember = defineTool({
  name: 'remember',
  description:
    'Proposes one fact for memory: a decision that changed, a bug that was explained or fixed, or a constraint that was found, with the ids of the results that show it. It becomes a note only after this session has ended with an answer. Not for questions, guesses, states of the moment, or what recall returned.',
  input: z.object({
    key: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,40}(?:\.[a-z0-9][a-z0-9_]{0,40}){1,3}$/, 'must be like "ingest.retry_policy"')
      .describe('What the fact is about, as subject.topic; take the key of a note that you recalled where it is about the same'),
    text: z.string().trim().min(12).max(400).describe('One sentence that stands alone, with names, dates and figures'),
    kind: z.enum(['decision', 'bug', 'constraint']),
    evidence: z.array(z.string()).min(1).max(20).describe('Ids of results of this run that show it, e.g. ["r3"]'),
    several: z.boolean().default(false).describe('True where several facts under this key can hold at once, as goals do'),
  }),
  output: z.object({ key: z.string(), proposals: z.number(), becomes_note: z.string() }),
  effect: 'read',
  example: {
    key: 'nightly_sales.pool',
    kind: 'constraint',
    text: 'Backfills of 17 March 2026 shared the pool warehouse with nightly_sales.',
    evidence: ['r1'],
  },
  async run({ key, text, kind, evidence, several }, { memory, resultIds, now }) {
    if (!memory) return noMemory();
    if (!memory.may.write) return notAllowed('write');
    const known = resultIds();
    const unknown = evidence.find((id) => !known.includes(id));
    if (unknown !== undefined) {
      const near = nearestName(unknown, known);
      return refused(
        'unknown_evidence',
        `there is no result "${unknown}" in this run${near ? `; did you mean "${near}"?` : `; cite one of: ${known.slice(-8).join(', ') || 'none yet'}`}`,
      );
    }
    const proposals = memory.propose({ key, kind, text, evidence, multiValued: several });
    return complete({ key, proposals, becomes_note: 'when the session is closed, if the gate lets it through' }, { asOf: now() });
  },
});
