import { z } from 'zod';
import { estimateTokens } from '../core/usage.ts';

/** The most tokens of a conclusion's text, unless set. */
export const CONCLUSION_TOKENS = 400;

type Review =
  | { readonly verdict: 'accept' }
  | { readonly verdict: 'again'; readonly message: string; readonly why: 'repair' | 'shorten' }
  | { readonly verdict: 'fail'; readonly status: 'schema_invalid'; readonly reason: string };

/** What a child's answer must meet before it comes up: its declared shape, with one repair turn; its length, with one turn to shorten. `earlier` says which of these turns it had in a process that was killed. */
export function createReview(
  returns: Readonly<Record<string, unknown>> | undefined,
  capTokens: number,
  earlier: { readonly repair: number; readonly shorten: number } = { repair: 0, shorten: 0 },
): (text: string, sentBack: number) => Review {
  const schema = returns === undefined ? undefined : z.fromJSONSchema(returns as Parameters<typeof z.fromJSONSchema>[0]);
  let repaired = earlier.repair > 0;
  let shortened = earlier.shorten > 0;
  return (text) => {
    const problem = schema && findProblem(text, schema);
    if (problem !== undefined && !repaired) {
      repaired = true;
      return {
        verdict: 'again',
        why: 'repair',
        message: `Your answer does not have the shape asked for: ${problem}. Answer again with nothing but JSON of this schema: ${JSON.stringify(returns)}`,
      };
    }
    if (problem !== undefined) return { verdict: 'fail', status: 'schema_invalid', reason: problem };
    if (estimateTokens(text) > capTokens && !shortened) {
      shortened = true;
      return {
        verdict: 'again',
        why: 'shorten',
        message: `Your answer has about ${estimateTokens(text)} tokens; at most ${capTokens} come up to the caller. Give the conclusion again in at most ${capTokens} tokens: the result, its figures and the ids they rest on.`,
      };
    }
    return { verdict: 'accept' };
  };
}

function findProblem(text: string, schema: z.ZodType): string | undefined {
  const bare = text.trim().replace(/^```(?:json)?\s*([\s\S]*?)\s*```$/, '$1');
  let value: unknown;
  try {
    value = JSON.parse(bare);
  } catch {
    return 'it is not JSON';
  }
  const parsed = schema.safeParse(value);
  return parsed.success
    ? undefined
    : parsed.error.issues
        .slice(0, 5)
        .map((issue) => `${issue.path.join('.') || 'the value'}: ${issue.message}`)
        .join('; ');
}
