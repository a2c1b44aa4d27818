import { z } from 'zod';
import { nearestName } from '../../src/core/nearest.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, refused } from '../../src/core/tool-result.ts';

const finding = z.object({
  kind: z.enum(['cause', 'observation', 'ruled_out', 'not_checked']),
  claim: z.string(),
  evidence: z.array(z.string()),
  confidence: z.enum(['high', 'medium', 'low']),
  refutedBy: z.string().optional(),
});

/** Keeps a claim with its evidence; the findings of a run are what was recorded here. */
export const recordFinding = defineTool({
  name: 'record_finding',
  description:
    'Records one finding with the ids of the tool results it rests on, e.g. ["r3"]. Use kind "cause" for what explains the question, "observation" for a fact worth knowing, "ruled_out" for an explanation that the data excludes, "not_checked" for what could not be looked at (no evidence needed). Only figures that a tool returned.',
  input: z.object({
    claim: z.string().trim().min(1).max(1000).describe('One or two sentences that stand alone, with the figures'),
    evidence: z.array(z.string()).default([]).describe('Ids of tool results of this run that show it'),
    kind: z.enum(['cause', 'observation', 'ruled_out', 'not_checked']).default('observation'),
    confidence: z.enum(['high', 'medium', 'low']).default('medium'),
    refuted_by: z.string().max(500).optional().describe('What observation would show that it is wrong'),
  }),
  output: z.object({ finding }),
  effect: 'read',
  example: { claim: 'The night run waited for slots, it did not work longer.', evidence: [], kind: 'not_checked', confidence: 'low' },
  async run(input, context) {
    const known = context.resultIds();
    const unknown = input.evidence.find((id) => !known.includes(id));
    if (unknown !== undefined) {
      const near = nearestName(unknown, known);
      return refused(
        'unknown_evidence',
        `there is no result "${unknown}" in this run${near ? `; did you mean "${near}"?` : ''}; cite ids of results you got: ${known.slice(-8).join(', ') || 'none yet'}`,
      );
    }
    if (input.evidence.length === 0 && input.kind !== 'not_checked')
      return refused('no_evidence', 'a finding needs at least one result id as evidence; only kind "not_checked" may have none');
    return complete(
      {
        finding: {
          kind: input.kind,
          claim: input.claim,
          evidence: input.evidence,
          confidence: input.confidence,
          ...(input.refuted_by === undefined ? {} : { refutedBy: input.refuted_by }),
        },
      },
      { asOf: context.now() },
    );
  },
});
