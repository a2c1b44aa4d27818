import { mendTyping } from './mend-typing.ts';
import { inEnglish } from './question-words.ts';
import { namedDays } from './read-days.ts';

/** What a question asks for; several may fit, and `general` stands where none does. */
export type Aim = 'slow' | 'failed' | 'duplicates' | 'profile' | 'order' | 'missing' | 'drift' | 'checks' | 'wrong' | 'hours';

export interface Question {
  readonly text: string;
  /** Lower case, all but letters and digits as single blanks, with one blank at both ends. */
  readonly plain: string;
  readonly aims: ReadonlySet<Aim>;
  /** Days named, as `YYYY-MM-DD`, or `-MM-DD` where no year is, or `-DD` where no month is. */
  readonly days: readonly string[];
  /** 0 for Sunday. */
  readonly weekday: number | null;
  /** Whether a level is said to be too high or too low; undefined where neither or both are. */
  readonly direction: 'up' | 'down' | undefined;
  /** True for `last night`, `the latest run`, `today`. */
  readonly newest: boolean;
}

const AIMS: readonly (readonly [Aim, RegExp])[] = [
  [
    'slow',
    /\b(slow(er|ly|ness)?\b|long(er)?\b|late\b|took|takes?|taking|duration|delay\w*|minutes|hours|stuck|hang\w*|wait\w*|times as|overdue|hold(s|ing)? \w* ?up|held \w* ?up|(times?|timed|timing) out|not (yet )?finished|unfinished|spill\w*)\b/,
  ],
  ['failed', /\b(fail\w*|errors?|broken?|crash\w*|red|wrong with|went wrong|sound)\b/],
  [
    'duplicates',
    /\b(duplicat\w*|twice|double\w*|too many|more than once|dedup\w*|inflated|re-?used?|belongs? to (two|several|more)|same (id|key|number)s?)\b/,
  ],
  ['profile', /\b(profile|profil\w*|describe|columns?|types?|distinct|nulls?|largest|total|sniff|encoding|quality)\b/],
  ['order', /\b(what happened|which order|in order|order of events|first cause|root cause|timeline|sequence|logs?)\b/],
  [
    'missing',
    /\b(?:no|ha(?:s|ve|d) no) \w+ (for|on|since|in|from|at)\b|\bha(?:s|ve|d) no \w+[.?!]|\b(missing|nothing|absent|vanish\w*|disappear\w*|not (there|arriv\w*|loaded|updated)|stopp\w*|fewer|too few|lost|los(?:e|es|ing)|gone|where did|incomplete|get no|gets no|got no|not all|lacks?|lacking|dropped|gaps?|holes?|complete|no (?:\w+ ){0,2}values?|whole|orphan\w*|truncated|cut off|few (?:rows|records|lines|entries))\b|\b(?:not|don't|doesn't|didn't|never|no longer) (?:\w+ )?(?:show\w*|appear\w*|match\w*|join\w*|come|came|turn(?:ed)? up)\b/,
  ],
  ['checks', /\b(tests?|checks?|green|passes|passing|expectations?|validations?|soda|contracts?)\b/],
  [
    'wrong',
    /\b(wrong|off by|incorrect|differ\w*|mismatch\w*|match(es)?|discrepan\w*|agree|jump\w*|spik\w*|drop\w*|cliffs?|dip\w*|fell|fall|collaps\w*|plumm\w*|plung\w*|sank|sink\w*|declin\w*|shrank|slump\w*|surg\w*|rose|risen|lower|higher|less|more than|(is|are|was|were|looks?|looked|seems?) (?:\w+ ){0,2}(high|low)|(too|so|unusually|suspiciously) (high|low|much|big|small|large|few|many)|doubl\w*|tripl\w*|inflated|explod\w*|grew|grown|increas\w*|decreas\w*|half|halved|empty|zero|stale|out of date|negative|numbers|odd|more|fewer|(is|are|was|were|became|become|turned) null|not (?:a )?num(?:ber|eric)\w*|non-?numeric|(?:as|is|became) text\b|nulls? (in|since|from)|(is|are|was|were|went|goes|gone|looks?) (?:way |much |far |so )*(up|down)(?! to)|down(?= ?(?:since|on|in|from|by|after|this|last|about|~|\d|half|an? (?:third|quarter|fifth|half|lot|bit|tenth)|$|[?.,!]))|up (?:by |about |~)?\d+ ?(?:%|percent|x\b)|\d ?x\b|x ?\d\b|(?:not|don't|doesn't|didn't|never|no longer) (?:\w+ )?(?:move|change|grow|add(?:s|ed)? up|balance)\w*|nonsense|garbage|rubbish|implausible|absurd|overwr\w+|(?:can ?not|can't|unable to|fails? to) (?:be )?(?:cast|convert|parse|sum|comput|read)\w*|\d+ ?% (?:over|above|below|under|off|more|less|too)|frozen|flat|the same (?:\w+ ){0,2}(?:every|each) day|old (?:prices|values|data|rates|figures)|19[67]\d|(?:do|does)(?: not|n't|nt) (?:\w+ )?change|capped?|ceiling|clipped|saturat\w*|unchanged|holes?|too few|how come|bugs?|more \w+ than|problems?|issues?|faults?|anomal\w*|data (ok|okay|good|clean|sound|healthy)|look(s|ed)? (off|wrong)|do(es)? not match|get no|gets no|before they|future|strange|weird|suspicious|leer)\b/,
  ],
  [
    'hours',
    /\b(hour|hourly|time ?zones?|dst|daylight|summer ?time|winter ?time|shift\w*|clocks?|utc|skew\w*|night of|before (they|it) (occurred|happened|was|were))\b/,
  ],
  ['drift', /\b(changed?|schema|drift\w*|day by day|renamed|new columns?|swapped|union\w*)\b/],
];

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
export function readQuestion(asked: string): Question {
  const text = inEnglish(asked);
  const lower = mendTyping(text.toLowerCase());
  const weekday = WEEKDAYS.findIndex((name) => new RegExp(`\\b${name}`).test(lower));
  return {
    text,
    // Names of tables and columns stand in the words as they were asked.
    plain: text === asked ? plainWords(text) : `${plainWords(text)}${plainWords(asked).trimStart()}`,
    aims: new Set(AIMS.filter(([, pattern]) => pattern.test(lower)).map(([aim]) => aim)),
    days: namedDays(lower),
    weekday: weekday < 0 ? null : weekday,
    direction: directionOf(lower),
    newest: /\b(last night|tonight|this morning|today|latest|newest|most recent|last run|last night's)\b/.test(lower),
  };
}

/** Words that ask for a cause, or tell of something odd, whatever it is. */
const OPEN =
  /\b(why|how come|what (has |have )?(happened|caused|changed)|explain\w*|reasons?|off|odd|wrong|complete\w*|whole|look(s|ed)?|seems?|stale)\b/;

/** Of a day that is to be looked at it is not said what is odd about it. */
const TO_BE_CHECKED = /^(?:please |pls |can you |could you )?(?:check|look (?:at|into)|investigate|examine|verify)\b/;

const OF_RUNS = /\b(runs?|ran|jobs?|dags?|tasks?|pipelines?|builds?|models?|loads?|took|takes?|slow\w*|long\w*|fail\w*|crash\w*)\b/;

const OF_RUN_AIMS: ReadonlySet<Aim> = new Set(['slow', 'failed', 'order']);

/**
 * The question where there is nothing but tables: what happened is asked of their rows, and a cause may be of any kind, whatever words it is
 * asked in. Only copies, where they alone are asked for, stay alone.
 */
export function ofTables(question: Question): Question {
  const { aims, text } = question;
  const lower = mendTyping(text.toLowerCase());
  const ofRuns = OF_RUNS.test(lower) && asksFor(question, 'slow', 'failed') && !asksFor(question, 'missing', 'wrong', 'drift', 'hours');
  const ofNoTable = aims.size > 0 && [...aims].every((aim) => OF_RUN_AIMS.has(aim)) && !OF_RUNS.test(lower.replace(/\bsince\b.*/, ''));
  const isOpen = OPEN.test(lower) || ofNoTable || (question.days.length > 0 && TO_BE_CHECKED.test(lower));
  if (ofRuns || !isOpen || (aims.size === 1 && aims.has('duplicates'))) return question;
  const kept = [...aims].filter((aim) => aim !== 'order' && aim !== 'slow' && aim !== 'failed');
  return { ...question, aims: new Set<Aim>([...kept, 'wrong', 'missing']) };
}

const UP =
  /\b((is|are|was|were|looks?|looked|seems?) (?:\w+ )?high|(too|so|unusually|suspiciously) (high|much|many|big|large)|higher|above|\d+ ?% over|more than|(is|are|was|were|go|goes|went|gone) (?:way |much |far |so )*up(?! to)|more \w+ than|rose|risen|jump\w*|spik\w*|surg\w*|doubl\w*|tripl\w*|twice|inflated|[2-9] ?x|x ?[2-9]|up (?:by |about |~)?\d+ ?(?:%|percent)|explod\w*|grew|grown|increas\w*|excess\w*|zu (?:hoch|viele?)|gestiegen|doppelt so)\b/;
const DOWN =
  /\b((is|are|was|were|looks?|looked|seems?) (?:\w+ )?low|(too|so|unusually|suspiciously) (low|little|few|small)|lower|below|(is|are|was|were|go|goes|went|gone) (?:way |much |far |so )*down|down(?= ?(?:since|on|in|from|by|after|this|last|about|~|\d|half|an? (?:third|quarter|fifth|half|lot|bit|tenth)|$|[?.,!]))|fewer|less|drop\w*|cliffs?|dip\w*|fell|fall\w*|collaps\w*|plumm\w*|plung\w*|sank|sink\w*|declin\w*|shrank|slump\w*|decreas\w*|half|halved|missing|lost|gone|lacks?|lacking|few (?:rows|records|lines|entries)|zu (?:niedrig|wenige?)|gefallen|gesunken|fehl(?:t|en|te|ten))\b/;

function directionOf(lower: string): Question['direction'] {
  const [up, down] = [UP.test(lower), DOWN.test(lower)];
  if (up === down) return undefined;
  return up ? 'up' : 'down';
}

/** Whether the question asks for one of these. */
export function asksFor(question: Question, ...aims: readonly Aim[]): boolean {
  return aims.some((aim) => question.aims.has(aim));
}

export function plainWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Whether the question names it, however its words are joined: `nightly_sales`, `nightly-sales`, `nightly sales`. */
function names(question: Question, name: string): boolean {
  const plain = plainWords(name);
  return plain.trim() !== '' && question.plain.includes(plain);
}

/** The names that the question names; the longest where one is part of another. */
export function namedOf(question: Question, candidates: readonly string[]): readonly string[] {
  const named = candidates.filter((name) => names(question, name));
  return named.filter((name) => !named.some((other) => other.length > name.length && plainWords(other).includes(plainWords(name))));
}
