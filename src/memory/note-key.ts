import type { DistilledFact } from '../core/memory-event.ts';
import type { NoteKind } from '../core/note.ts';

const KEY = /^[a-z][a-z0-9_]{0,40}(?:\.[a-z0-9][a-z0-9_]{0,40}){1,3}$/;

/** What a fact may be about, with the words that say so. */
const TOPICS: readonly (readonly [topic: string, words: RegExp])[] = [
  ['retry_policy', /\bretr(?:y|ies|ied|ying)\b|\btry \d|\bback-?off\b/gi],
  ['duplicates', /\bduplicat\w*|\bsurplus rows?\b|\btwice\b|\bnot unique\b/gi],
  ['pool_contention', /\bslots?\b|\bpools?\b|\bqueued?\b|\bwait(?:ed|ing|s)?\b|\bparallelism\b/gi],
  ['schema', /\bschemas?\b|\bcolumns?\b|\brenamed?\b|\bdrift\w*|\bdata ?types?\b/gi],
  ['lateness', /\blate(?:r|ness)?\b|\bdelay\w*|\blookback\b|\bwatermarks?\b|\barriv\w+/gi],
  ['missing_values', /\bnulls?\b|\bempty values?\b|\bmissing values?\b|\bplaceholders?\b/gi],
  ['missing_rows', /\bmissing (?:rows?|days?|partitions?|files?)\b|\brows? (?:are|were|is) missing\b|\blost rows?\b/gi],
  ['time_zone', /\btime ?zones?\b|\butc\b|\bdaylight\b/gi],
  ['memory_limit', /\bout of memory\b|\boom\w*|\bmemory\b|\bheap\b/gi],
  ['disk', /\bdisk\b|\bno space\b/gi],
  ['locking', /\bdead ?locks?\b|\blocks?\b|\blocked\b/gi],
  ['permissions', /\bpermissions?\b|\bdenied\b|\bcredentials?\b|\bexpired\b/gi],
  ['timeouts', /\btime(?:d|s)? ?outs?\b|\btimeouts?\b/gi],
  ['format', /\bencoding\b|\bdelimiters?\b|\bdate formats?\b|\bdecimal\b|\bquot(?:e|ing)\b/gi],
  ['schedule', /\bschedules?\b|\bcron\b|\bscheduled at\b/gi],
  ['source', /\bupstream\b|\bsource (?:system|file|data)\b/gi],
];

/** What a fact of no known topic is filed under. */
const NO_TOPIC = 'finding';
const NO_SUBJECT = 'project';

export function isNoteKey(key: string): boolean {
  return KEY.test(key) && key.length <= 100;
}

/**
 * The key of a fact by fixed rules: what it is about (the name that the question shares with it, else the first name in it) and the topic
 * that most of its words belong to. Equal facts get equal keys.
 */
export function noteKeyOf(text: string, question: string): string {
  const said = text.replaceAll(PLACEHOLDER, ' ');
  return `${subjectOf(said, question.replaceAll(PLACEHOLDER, ' '))}.${topicOf(said)}`;
}

interface Filed {
  readonly kind: NoteKind;
  readonly text: string;
  /** As somebody chose, where somebody did. */
  readonly key: string | undefined;
  readonly multiValued: boolean | undefined;
}

/**
 * The key of a fact, and whether several may stand under it at once: as somebody chose, or by fixed rules where nobody did or the key that was
 * chosen names only what was taken out of the text.
 */
export function filingOf({ kind, text, key, multiValued }: Filed, question: string): Pick<DistilledFact, 'key' | 'multiValued'> {
  // Incidents of one kind add up: that one happened does not make another untrue.
  const addsUp = kind === 'bug';
  if (key !== undefined && !namesPlaceholder(key, text)) return { key, multiValued: multiValued ?? addsUp };
  const found = noteKeyOf(text, question);
  // Nor may two facts of which rules cannot tell what they are about retire each other.
  const isVague = found.startsWith(`${NO_SUBJECT}.`) || found.endsWith(`.${NO_TOPIC}`);
  return { key: found, multiValued: addsUp || isVague };
}

/** What stands for something that was taken out: it names nothing. */
const PLACEHOLDER = /\[(?:redacted:([^\]\s]*)|forgotten)\]/g;

/** Whether a key that somebody chose is made from such a mark in the text, and not from what the text is about. */
function namesPlaceholder(key: string, text: string): boolean {
  const marks = [...text.matchAll(PLACEHOLDER)].map(([, name = 'forgotten']) => name);
  return key.split('.').some((part) => /^(?:redacted|forgotten)(?:_|$)/.test(part) || marks.includes(part));
}

function topicOf(text: string): string {
  let best = NO_TOPIC;
  let most = 0;
  for (const [topic, words] of TOPICS) {
    const count = text.match(words)?.length ?? 0;
    if (count > most) {
      most = count;
      best = topic;
    }
  }
  return best;
}

function subjectOf(text: string, question: string): string {
  const names = namesIn(text);
  const asked = question.toLowerCase();
  const shared = names.find((name) => asked.includes(name.toLowerCase()));
  const subject = shared ?? names[0] ?? namesIn(question)[0] ?? NO_SUBJECT;
  const key = subject
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 40);
  return key === '' ? NO_SUBJECT : key;
}

/** Identifiers of pipelines, tables and pools: in backticks, or with an underscore or a dot inside; ids of runs and figures are none. */
function namesIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]{2,60})`/g)].map(([, name = '']) => name);
  const bare = text.match(/\b[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9]+)+\b/g) ?? [];
  return [...quoted, ...bare].filter(
    (name) => /^[A-Za-z_]/.test(name) && !/__|\d{4}-\d\d|\.(?:csv|json|log|parquet|gz|yaml|sql)$|[:+/]/.test(name),
  );
}
