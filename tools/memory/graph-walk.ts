import { z } from 'zod';
import { nearestName } from '../../src/core/nearest.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, noData, partial } from '../../src/core/tool-result.ts';
import { WALK_DIRECTIONS } from '../../src/core/triple.ts';
import { noMemory, notAllowed } from './no-memory.ts';
import { shownTriple, tripleShape } from './triple-shape.ts';

/** Follows recorded relations from one thing. */
export const graphWalk = defineTool({
  name: 'graph_walk',
  description:
    'Follows the relations recorded with graph_add from one thing, step by step: what it leads to (direction "out"), what leads to it ("in"), or both. Use it to find what else is touched by a failure or a change. Relations come from earlier sessions: verify before you act.',
  input: z.object({
    from: z.string().trim().min(1).max(200).describe('Where to begin: the name of a table, a DAG, a team'),
    depth: z.number().int().min(1).max(6).default(2),
    direction: z.enum(WALK_DIRECTIONS).default('both'),
    relation: z.string().optional().describe('Only this relation'),
    at: z.iso.date().optional().describe('What held on that day; today unless given'),
    limit: z.number().int().min(1).max(200).default(50),
  }),
  output: z.object({ from: z.string(), steps: z.array(tripleShape.extend({ depth: z.number() })), nearest_name: z.string().optional() }),
  effect: 'read',
  example: { from: 'nightly_sales' },
  async run({ from, depth, direction, relation, at, limit }, { memory, now }) {
    if (!memory) return noMemory();
    if (!memory.may.recall) return notAllowed('recall');
    const time = at === undefined ? now().getTime() : Date.parse(at) + 86_399_999;
    const walked = memory.walk({ from, depth, direction, at: time, limit, ...(relation === undefined ? {} : { relation }) });
    const steps = walked.steps.map((step) => ({ ...shownTriple(step), depth: step.depth }));
    if (steps.length === 0) {
      const near = nearestName(from, memory.names());
      return noData({ from, steps, ...(near === undefined || near === from ? {} : { nearest_name: near }) }, { asOf: now() });
    }
    const data = { from, steps };
    if (walked.complete) return complete(data, { asOf: now(), total: steps.length, returned: steps.length });
    return partial(data, {
      asOf: now(),
      returned: steps.length,
      total: steps.length,
      warnings: [
        { code: 'limit_reached', message: `there are more than ${steps.length} relations; narrow the relation, direction or depth` },
      ],
    });
  },
});
