export const PLAN_RULES = `You plan how a request is worked on, before any tool is called.
Write two to six steps, one a line, each beginning with "- ", each one thing to look at or to do and by which tool. No answer, no figures, nothing else.`;

const MOST_STEPS = 6;
const LONGEST_STEP = 200;
const LONG_REQUEST = 240;
const SEVERAL =
  /\b(?:and then|then|after that|afterwards|first\b.*\b(?:then|second|next)|step by step|each of|for (?:each|every|all)|compare|both|as well as|und dann|danach|zuerst)\b|;|\n\s*(?:[-*]|\d+[.)])\s|\?[^?]*\?/is;

/** True for a request of several steps: it lists, chains or compares, asks twice, or is long. */
export function isMultiStep(request: string): boolean {
  return request.length >= LONG_REQUEST || SEVERAL.test(request) || (request.match(/\b(?:and|und)\b/gi)?.length ?? 0) >= 2;
}

/** The steps of a plan as a model wrote it; none where it wrote no list of at least two. */
export function readPlan(reply: string): readonly string[] {
  const steps = reply
    .split('\n')
    .map((line) => /^\s*(?:[-*•]|\d+[.)])\s+(.*\S)/.exec(line)?.[1] ?? '')
    .filter((step) => step !== '')
    .map((step) => step.slice(0, LONGEST_STEP));
  return steps.length < 2 ? [] : steps.slice(0, MOST_STEPS);
}
