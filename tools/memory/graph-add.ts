import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { complete, refused } from '../../src/core/tool-result.ts';
import { noMemory, notAllowed } from './no-memory.ts';
import { shownTriple, tripleShape } from './triple-shape.ts';

const name = (what: string) => z.string().trim().min(1).max(200).describe(what);

/** Records one relation between two things. */
export const graphAdd = defineTool({
  name: 'graph_add',
  description:
    'Records one relation between two things of the project as subject, relation, object, e.g. orders_daily reads_from raw.orders. Use it for what will still hold next month: what reads or writes what, who owns what, what depends on what; only what a result of this run shows.',
  input: z.object({
    subject: name('Who or what, by its full name'),
    relation: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be snake_case, e.g. reads_from'),
    object: name('To what'),
    valid_from: z.iso.date().optional().describe('Since when it holds'),
    valid_until: z.iso.date().optional().describe('Until when it held'),
    replaces: z.boolean().default(false).describe('Ends what the subject had under this relation before, as a new owner does'),
  }),
  output: z.object({ triple: tripleShape }),
  effect: 'read',
  example: { subject: 'nightly_sales', relation: 'writes', object: 'warehouse.orders' },
  async run({ subject, relation, object, valid_from, valid_until, replaces }, { memory, now }) {
    if (!memory) return noMemory();
    if (!memory.may.write) return notAllowed('write');
    const validFrom = valid_from === undefined ? undefined : Date.parse(valid_from);
    const validUntil = valid_until === undefined ? undefined : Date.parse(valid_until);
    if (validFrom !== undefined && validUntil !== undefined && validUntil < validFrom)
      return refused('invalid_period', 'valid_until lies before valid_from; give the earlier date as valid_from');
    const triple = await memory.addTriple({
      ...{ subject, relation, object, replaces },
      ...(validFrom === undefined ? {} : { validFrom }),
      ...(validUntil === undefined ? {} : { validUntil }),
    });
    return complete({ triple: shownTriple(triple) }, { asOf: now() });
  },
});
