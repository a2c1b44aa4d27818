/** What a question asks for, read from its words; several may hold at once. */
export interface Question {
  readonly text: string;
  readonly asksSlow: boolean;
  readonly asksFailure: boolean;
  readonly asksDuplicates: boolean;
  readonly asksData: boolean;
  readonly asksOrder: boolean;
  /** Dates as they stand in the text, ISO. */
  readonly dates: readonly string[];
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

export function readQuestion(text: string): Question {
  const lower = text.toLowerCase();
  const has = (pattern: RegExp): boolean => pattern.test(lower);
  return {
    text: lower,
    asksSlow: has(/\bslow|slower|slowest|longer|as long|late\b|delay|took|times as|duration|\bwait|hours?\b|stuck|hang/),
    asksFailure: has(/\bfail|error|broke|crash|red\b|went wrong|retry|retries|not finish|status/),
    asksDuplicates: has(/duplicat|twice|too many|double|repeated rows|more rows/),
    asksData: has(
      /\brows?\b|profile|column|types?\b|null|total|sum\b|distinct|missing|wrong|revenue|file|table|schema|sound|count|ids?\b|amount|fewer|orders/,
    ),
    asksOrder: has(/order\b.*(happen|event)|what happened|first cause|root cause|which order|sequence|timeline|chain/),
    dates: [...(lower.match(/\b\d{4}-\d{2}-\d{2}\b/g) ?? []), ...wordDates(lower)],
  };
}

/** "11 February" or "May 4" without a year, as `-02-11`: the end of a month-day that any year fits. */
function wordDates(text: string): string[] {
  const names = MONTHS.map((month) => `${month}|${month.slice(0, 3)}`).join('|');
  const found: string[] = [];
  for (const match of text.matchAll(new RegExp(`\\b(?:(\\d{1,2})(?:st|nd|rd|th)?\\s+(${names})|(${names})\\s+(\\d{1,2}))\\b`, 'g'))) {
    const month = MONTHS.findIndex((name) => name.startsWith((match[2] ?? match[3] ?? '').slice(0, 3))) + 1;
    found.push(`-${String(month).padStart(2, '0')}-${(match[1] ?? match[4] ?? '').padStart(2, '0')}`);
  }
  return found;
}

/** The names that the question mentions, longest first. */
export function mentioned(question: Question, names: readonly string[]): string[] {
  const words = new Set(question.text.split(/[^a-z0-9_.:+-]+/).map((word) => word.replace(/'s$|[.:]+$/g, '')));
  return names
    .filter((name) => words.has(name.toLowerCase()) || (name.length > 6 && question.text.includes(name.toLowerCase())))
    .sort((left, right) => right.length - left.length);
}
