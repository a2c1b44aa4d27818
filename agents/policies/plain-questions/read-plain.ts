import { mendTyping } from '../investigator/question/mend-typing.ts';

/** A plain question: one figure, one list, one time. `what` says which kind of figure. */
export type PlainAsk =
  | { readonly kind: 'tables' | 'columns' | 'last' | 'complete' | 'changed' | 'orphans' | 'nulls' | 'distinct' | 'common' | 'count' }
  | { readonly kind: 'figure'; readonly measure: Measure }
  | { readonly kind: 'extreme'; readonly least: boolean; readonly unit: TimeUnit | undefined }
  | { readonly kind: 'failed' | 'longest' | 'run' | 'logCount' | 'allRan' };

export type Measure = 'average' | 'sum' | 'min' | 'max' | 'median';
export type TimeUnit = 'hour' | 'day' | 'month' | 'year';

/** What asks for a reason, or tells of something odd, is an investigation. */
const NOT_PLAIN =
  /\b(why|causes?|caused|explain\w*|reasons?|what happened|happened|went wrong|wrong|odd|strange|weird|suspicious|where did|trust|too (many|few|high|low|much|big|small|large)|twice|double\w*|off by|no longer|instead|suddenly|overwr\w+)\b/;
const ASKS =
  /^(is|are|was|were|does|do|did|has|have|how|when|what|which|on which|in which|at which|for which|who|list|show|count|name|give|tell|find|describe|any)\b/;

/** Two questions in one are not answered by one figure. */
const SEVERAL = /(,| and|;) (what|which|how|is|are|was|were|did|does|do|who|when|where|can)\b|\bfail.*\b(slow|long)|\b(slow|long).*\bfail/;

const MEASURES: readonly (readonly [Measure, RegExp])[] = [
  ['average', /\b(average|avg|mean)\b/],
  ['median', /\bmedian\b/],
  ['sum', /\b(sum|total|altogether|overall)\b/],
  ['min', /\b(min|minimum|smallest|lowest|cheapest|earliest|oldest|first)\b/],
  ['max', /\b(max|maximum|largest|highest|biggest|greatest|dearest)\b/],
];

const EXTREME = /\b(fewest|least|most|lowest|highest|smallest|largest|biggest|greatest|best|worst|busiest|quietest)\b/;
const LEAST = /\b(fewest|least|lowest|smallest|worst|quietest)\b/;
const RUN_WORDS = /\b(tasks?|runs?|jobs?|dags?|models?|pipelines?|stages?|builds?|tests?|checks?|nodes?|seeds?|snapshots?)\b/;

/** Whether all that was due ran to its end. */
const ALL_RAN: readonly RegExp[] = [
  /\b(everything|all (of )?(the |our |my )?(\w+ )?(runs?|jobs|tasks|pipelines|dags|models|loads)|(every|each) (\w+ )?(job|run|task|dag|pipeline|model|load))\b.*\b(r[au]n|finish\w*|complete\w*|succe\w*|ok|okay|fine|green|built|done|end(ed)?|through|healthy)\b/,
  /\b(anything|something|any (\w+ )?(task|job|run|dag|pipeline)s?|(which|what) (\w+ )?(task|job|run|dag|pipeline)s?)\b.*\b(stuck|hang\w*|hung|overdue|still running|not finished|unfinished|stalled)\b/,
  /\b(which|what|any) (\w+ )?(tasks?|jobs?|runs?|dags?|pipelines?|models?)\b.*\b(did not|didn't|not|never|stopped|no longer|has not|have not) (r[au]n\w*|start\w*|finish\w*|execut\w*|built)\b/,
  /\b(r[au]n|runs)\b.*\b(more than once|several times|two times)$|\b(r[au]n|runs)\b.*\b(more than once|several times) /,
  /^what('s| is| are)? (\w+ ){0,3}(running|stuck|hanging|overdue|unfinished)( now| right now| at the moment| still)?$/,
  /^(was|were|is|are|did|do|does)\b.*\b(runs?|night|tasks?|jobs?|everything|all)\b.*\b(clean|fine|ok|okay|green|healthy|well|without (errors?|problems?|retries)|(at|on) the first (try|attempt))$/,
];

const SENTENCE_WITHIN = /[?!]|\.\s/;
const SHORT_WORDS = 8;

/** A text in small letters, without the mark at its end. */
function plainText(text: string): string {
  return mendTyping(text.toLowerCase())
    .trim()
    .replace(/[?.!\s]+$/, '');
}

/** Whether a text is one sentence: a story with a question behind it wants to be looked into. */
export function isOneSentence(text: string): boolean {
  return !SENTENCE_WITHIN.test(plainText(text));
}

/** Whether one look may answer a text: one question, or a few words, that asks for no cause. */
export function asksPlainly(text: string): boolean {
  const lower = plainText(text);
  if (!isOneSentence(text) || SEVERAL.test(lower) || NOT_PLAIN.test(lower)) return false;
  return ASKS.test(lower) || lower.split(/\s+/).length <= SHORT_WORDS;
}

/** The plain questions that a text may be, the likeliest first; none where it asks for a cause. */
export function readPlain(text: string): readonly PlainAsk[] {
  const lower = plainText(text);
  if (!asksPlainly(text) || !ASKS.test(lower)) return [];
  return [...ofRuns(lower), ...ofTables(lower), ...ofFigures(lower)];
}

function ofRuns(lower: string): readonly PlainAsk[] {
  if (/\bhow many\b.*\b(errors?|warnings?|log lines?|lines)\b/.test(lower) && /\blogs?\b/.test(lower)) return [{ kind: 'logCount' }];
  if (ALL_RAN.some((pattern) => pattern.test(lower))) return [{ kind: 'allRan' }];
  if (/\b(longest|slowest|most time)\b/.test(lower) && RUN_WORDS.test(lower)) return [{ kind: 'longest' }];
  if (/\b(fail\w*|errored|crash\w*|broke)\b/.test(lower) && RUN_WORDS.test(lower)) return [{ kind: 'failed' }];
  if (
    /^(when|did|how long|has|is|was|what (was|is) the (state|status))\b/.test(lower) &&
    /\b(run|ran|dag|pipeline|job|build|finish\w*|succeed\w*)\b/.test(lower)
  )
    return [{ kind: 'run' }];
  return [];
}

function ofTables(lower: string): readonly PlainAsk[] {
  const found: PlainAsk[] = [];
  if (
    /^(which|what|list|show|name|how many)( me)?( all)?( of)?( the)? (tables|files|views|datasets|data ?sets)\b(?!.*\b(null|empty|column|stale|fresh|duplicate)s?\b)/.test(
      lower,
    )
  )
    found.push({ kind: 'tables' });
  if (
    /\b(refer\w*|point\w*|belong\w*|link\w*|orphan\w*|without|with no|no matching|(is|are) not in|ha(s|ve) no|lack\w*|do(es)? not exist|don't exist|doesn't exist)\b/.test(
      lower,
    )
  )
    found.push({ kind: 'orphans' });
  if (
    /\b(nulls?|empty|missing|blank|not filled|without|with no|ha(s|ve) no|lack\w*)\b/.test(lower) &&
    !/\b(days?|dates?) (are )?(missing|without)\b/.test(lower)
  )
    found.push({ kind: 'nulls' });
  if (
    /\b(columns?|fields?|schema|structure)\b|^describe\b|\b(type|types) (of|is|has|have|does)\b/.test(lower) &&
    !/\b(changed?|differ\w*|between)\b/.test(lower)
  )
    found.push({ kind: 'columns' });
  if (
    /\b(when|what|how|is|are|which)\b.*\b(last|latest|newest|most recent\w*|fresh\w*|stale|old|up[- ]to[- ]date|outdated|out of date|recent|current)\b/.test(
      lower,
    )
  )
    found.push({ kind: 'last' });
  if (
    /\b(complete\w*|gaps?|(days?|dates?) (are )?(missing|without)|missing (days?|dates?)|(days?|dates?) (\w+ ){0,3}(no|without|lack\w*|miss\w*))\b/.test(
      lower,
    )
  )
    found.push({ kind: 'complete' });
  if (
    /\b(changed?|changes|different|differences?|differs?|new)\b/.test(lower) &&
    /\b(yesterday|today|last two|days?|files?|since|between)\b/.test(lower)
  )
    found.push({ kind: 'changed' });
  return found;
}

function ofFigures(lower: string): readonly PlainAsk[] {
  const found: PlainAsk[] = [];
  const unit = /\b(hour|day|date|month|year)s?\b/.exec(lower)?.[1];
  if (/^(on |in |at |for )?(which|what) \w+/.test(lower) && EXTREME.test(lower) && !/^what (is|are|was|were) the\b/.test(lower))
    found.push({ kind: 'extreme', least: LEAST.test(lower), unit: unit === 'date' ? 'day' : (unit as TimeUnit | undefined) });
  if (/\b(distinct|different|unique)\b/.test(lower)) found.push({ kind: 'distinct' });
  if (/\b(most|least) (common|frequent|often)|\bwhich values\b|\bwhat values\b/.test(lower)) found.push({ kind: 'common' });
  // Of `how many have a total above 10` a number of rows is asked, and no total.
  if (/^how many\b/.test(lower)) found.push({ kind: 'count' });
  for (const [measure, pattern] of MEASURES) if (pattern.test(lower)) found.push({ kind: 'figure', measure });
  if (/\bhow many\b|\bnumber of\b|\bcount\b|\brow count\b|\bhow (big|large)\b/.test(lower)) found.push({ kind: 'count' });
  return found;
}
