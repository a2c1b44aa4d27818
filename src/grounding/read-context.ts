import { citedFor } from './cited-for.ts';
import { meaningsOfName } from './label-words.ts';
import { addLead, addLine, addTableCell, FIRST_WEIGHT } from './layout-words.ts';
import type { Citation } from './mask-text.ts';
import { type Mention, OCCURRENCES } from './mention.ts';
import { addLack, addRangeEnds, addTurns, dropWhole, leads, manyOf, subjectOf } from './phrases.ts';
import { type Piece, readPieces } from './read-pieces.ts';
import type { Label } from './result-index.ts';

/** What stands around one figure of the answer. */
export interface Context {
  /** Tokens with a weight that falls with distance. */
  readonly weights: ReadonlyMap<string, number>;
  /** Words of the sentence, in lower case. */
  readonly sentence: ReadonlySet<string>;
  /** The text directly before and behind, for markers such as `about` or `of`. */
  readonly before: string;
  readonly behind: string;
  /** Ids of the results that its part of the sentence cites. */
  readonly cited: readonly string[];
  /** … and those that other parts of the sentence cite. */
  readonly citedBeside: readonly string[];
  /** Words that head its column and its row, in a table. */
  readonly heads: readonly string[];
  /** The sentence that it stands in, by number. */
  readonly place: number;
  /** Scores of labels found so far. */
  readonly scores: Map<Label, number>;
}

const LEAST_WEIGHT = 0.12;
const LEFT_BREAKS: Readonly<Record<string, number>> = {
  ',': 0.75,
  '(': 0.9,
  ')': 0.7,
  ';': 0.45,
  ':': 0.95,
  '.': 0.25,
  '!': 0.25,
  '?': 0.25,
  '\n': 0.3,
  '|': 0.6,
};
const RIGHT_BREAKS: Readonly<Record<string, number>> = {
  ',': 0.45,
  '(': 0.4,
  ')': 0.5,
  ';': 0.12,
  ':': 0.35,
  '.': 0.08,
  '!': 0.08,
  '?': 0.08,
  '\n': 0,
  '|': 0.3,
};
const CONNECTORS: ReadonlySet<string> = new Set([
  'of',
  'to',
  'or',
  'the',
  'its',
  'these',
  '/',
  '–',
  '—',
  'until',
  'through',
  'bis',
  'von',
  'and',
  'out',
]);

/** The contexts of all figures of an answer, in their order. */
export function readContexts(text: string, mentions: readonly Mention[], citations: readonly Citation[]): Context[] {
  const pieces = readPieces(text, mentions, citations);
  const sentences = splitSentences(text);
  const places = new Map(pieces.map((piece, at) => [piece.start, at]));
  const marked = sentences.map(({ start, end }) => ({
    start,
    end,
    words: new Set(pieces.filter((piece) => piece.kind === 'word' && piece.start >= start && piece.start < end).map((piece) => piece.text)),
    citations: citations.filter((citation) => citation.start >= start && citation.start < end),
  }));
  const placeOf = ({ start }: Mention): number =>
    Math.max(
      0,
      marked.findIndex(({ end }) => start < end),
    );
  const firsts = new Map<number, number>();
  for (const mention of mentions) {
    const place = placeOf(mention);
    if (!firsts.has(place)) firsts.set(place, mention.start);
  }
  return mentions.map((mention) => {
    const place = placeOf(mention);
    const sentence = marked[place];
    return {
      ...weigh(text, mention, { pieces, at: places.get(mention.start) ?? 0 }),
      sentence: sentence?.words ?? new Set(),
      before: text.slice(Math.max(0, mention.start - 40), mention.start).toLowerCase(),
      behind: text.slice(mention.end, mention.end + 40).toLowerCase(),
      ...citedFor(mention, sentence?.citations ?? [], firsts.get(place)),
      place,
      scores: new Map(),
    };
  });
}

/** Sentences and list items; a citation behind the full stop still belongs to its sentence. */
export function splitSentences(text: string): { readonly start: number; readonly end: number }[] {
  const sentences: { start: number; end: number }[] = [];
  let start = 0;
  for (const match of text.matchAll(
    /(?<!\b(?:e\.g|i\.e|vs|approx|ca|no|z\.B|bzw))[.!?](?=\s+(?:\[[^\]]*\]\s*)*[\p{Lu}`*"“(\d]|\s*$)(?:\s*\[[^\]]*\])*|\n+/gu,
  )) {
    const end = match.index + match[0].length;
    if (end > start) sentences.push({ start, end });
    start = end;
  }
  if (start < text.length) sentences.push({ start, end: text.length });
  return sentences;
}

function weigh(
  text: string,
  mention: Mention,
  { pieces, at }: { readonly pieces: readonly Piece[]; readonly at: number },
): Pick<Context, 'weights' | 'heads'> {
  const weights = new Map<string, number>();
  const give = (tokens: readonly string[], weight: number): void => {
    for (const token of tokens) if ((weights.get(token) ?? 0) < weight) weights.set(token, weight);
  };
  if (mention.kind === 'number')
    give(mention.noun === OCCURRENCES ? ['count', 'ratio'] : meaningsOfName(mention.label ?? mention.text), FIRST_WEIGHT);
  walk(pieces, at, { step: -1, loss: 0.94, breaks: LEFT_BREAKS, figure: 0.55, give });
  walk(pieces, at, { step: 1, loss: 0.88, breaks: RIGHT_BREAKS, figure: 0.25, give });
  give(subjectOf(pieces, at), SUBJECT_WEIGHT);
  addRangeEnds(pieces, at, give);
  addTurns(text.slice(Math.max(0, mention.start - 30), mention.start), weights, give);
  dropWhole(text.slice(mention.end, mention.end + 40), weights);
  addLack(text.slice(mention.end, mention.end + 60), give);
  give(manyOf(text.slice(mention.end, mention.end + 80)), MANY_WEIGHT);
  const heads = addTableCell(text, mention, give);
  addLead(text, mention, give);
  addLine(text, mention, { pieces, give });
  return { weights, heads };
}

interface Walk {
  readonly step: 1 | -1;
  readonly loss: number;
  readonly breaks: Readonly<Record<string, number>>;
  readonly figure: number;
  readonly give: (tokens: readonly string[], weight: number) => void;
}

const COMPARING: ReadonlySet<string> = new Set([
  'against',
  'versus',
  'vs',
  'than',
  'from',
  'compared',
  'instead',
  'gegen',
  'statt',
  'up',
  'down',
  'before',
  'after',
  'with',
  'while',
  'whereas',
  'but',
]);
/** "Not duplicates: 3 rows": what follows is what it is not. */
const DENIALS: ReadonlySet<string> = new Set(['not', 'non', 'nicht', 'keine']);
const MANY_WEIGHT = 2.6;
const SUBJECT_WEIGHT = 1.6;
const LEADS = 0.8;
const FARTHEST = 70;
const OTHERS_WORD = 0.5;
const NEXT_WITHIN = 9;

/** "Keys with several versions", "keys that have more than one version": nothing is compared. */
function isOfMany(word: string, next = ''): boolean {
  if (word === 'than') return /^(?:one|once|ein\w*)$/.test(next);
  return word === 'with' && /^(?:more|several|multiple|many|mehr\w*)$/.test(next);
}

/** True for a word that stands right behind a figure, with nothing between: it says what that figure counts. */
function isNounBehind(pieces: readonly Piece[], at: number): boolean {
  for (let back = 1; back <= 2; back++) {
    const piece = pieces[at - back];
    if (piece?.kind === 'figure') return true;
    if (piece?.kind !== 'word') return false;
  }
  return false;
}

/** Of the words between two figures those on this side of an "and" are this one's, else the nearer half; a break between them keeps all. */
function sharedWords(pieces: readonly Piece[], from: number, step: 1 | -1): { readonly own: number; readonly next: number } {
  let joint: number | undefined;
  for (let count = 1; count <= NEXT_WITHIN; count++) {
    const piece = pieces[from + count * step];
    if (!piece || piece.kind === 'break') break;
    if (piece.kind === 'figure') return { own: joint ?? Math.ceil((count - 1) / 2), next: count };
    if (piece.text === 'and' || piece.text === 'und') joint = count;
  }
  return { own: Number.POSITIVE_INFINITY, next: 0 };
}

function walk(pieces: readonly Piece[], from: number, { step, loss, breaks, figure, give }: Walk): void {
  let weight = FIRST_WEIGHT;
  let linked = true;
  let lines = 0;
  let broken = 0;
  const shared = sharedWords(pieces, from, step);
  for (let count = 1; count <= FARTHEST && weight >= LEAST_WEIGHT; count++) {
    const piece = pieces[from + count * step];
    if (!piece) return;
    if (piece.kind === 'word') {
      // "9044 s against 9120 s": the word belongs to what follows it.
      if (step === 1 && COMPARING.has(piece.text) && !isOfMany(piece.text, pieces[from + count + 1]?.text)) weight *= 0.15;
      const isOthers =
        (count > shared.own && count < shared.next) || (step === -1 && lines + broken > 0 && isNounBehind(pieces, from - count));
      const isDenied = DENIALS.has(pieces[from + count * step - 1]?.text ?? '');
      give(piece.tokens, isOthers || isDenied ? weight * OTHERS_WORD : weight);
      weight *= loss;
      if (!CONNECTORS.has(piece.text)) linked = false;
    } else if (piece.kind === 'figure') {
      give(piece.tokens, weight);
      // What stands behind "12 of 16" belongs to both.
      weight *= linked ? 0.85 : figure;
      linked = true;
    } else {
      weight *= step === 1 && count === 1 && leads(piece, pieces[from + 2]) ? LEADS : (breaks[piece.text] ?? 0.95);
      broken++;
      if (!CONNECTORS.has(piece.text)) linked = linked && piece.text === '|';
      if (piece.text === '\n' && ++lines > 1) return;
    }
  }
}
