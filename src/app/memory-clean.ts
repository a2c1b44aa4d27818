import { normaliseFact } from '../memory/normalise-fact.ts';

const FORGOTTEN = '[forgotten]';
/** A recalled line is cut: it goes on elsewhere, or began there. */
const GOES_ON = /^\s?(?:\[…\]|…|\.\.\.)/;
const BEGAN = /\[…\]\s$/;
const SENTENCE_END = /[.!?;。！？]["'”’)\]]*(?:\s+|$)/gu;
/** Of a text that was cut so much has to stand there to be known; of whole sentences less is enough. */
const LEAST_CUT = 40;
const LEAST_SENTENCE = 12;

/** Takes these texts out of any other: whole, also as they stand in JSON within a string, once or twice, and what was cut from them for a short line. */
export function cleanerOf(texts: readonly string[]): (text: string) => string {
  const written = texts.flatMap((text) => {
    const once = JSON.stringify(text).slice(1, -1);
    return [...new Set([text, once, JSON.stringify(once).slice(1, -1)])];
  });
  const normal = new Set(texts.map(normaliseFact));
  const parts = written.flatMap(partsOf);
  return (text) => {
    if (normal.has(normaliseFact(text))) return FORGOTTEN;
    const rest = written.reduce((left, one) => left.replaceAll(one, FORGOTTEN), text);
    return rest.includes('…') || rest.includes('...') ? parts.reduce(withoutCut, rest) : rest;
  };
}

/** A text from one of its sentences on. */
interface Part {
  readonly text: string;
  readonly head: string;
}

function partsOf(text: string): readonly Part[] {
  const ends = [...text.matchAll(SENTENCE_END)].map(({ index, 0: end }) => index + end.length);
  return [0, ...ends].flatMap((from, place) => {
    const head = text.slice(from, Math.min(from + LEAST_CUT, ends[place] ?? text.length)).trimEnd();
    return head.length < LEAST_SENTENCE ? [] : [{ text: text.slice(from), head }];
  });
}

/** Another text may begin in the same words: only what is marked as cut is taken for a part of this one. */
function withoutCut(text: string, part: Part): string {
  let [clean, from] = ['', 0];
  for (let at = text.indexOf(part.head); at >= 0; at = text.indexOf(part.head, from)) {
    const end = at + sharedLength(text.slice(at), part.text);
    const isWhole = /[.!?;。！？]["'”’)\]]*$/u.test(text.slice(at, end).trimEnd());
    const isCut = GOES_ON.test(text.slice(end)) || (isWhole && BEGAN.test(text.slice(0, at)));
    clean += isCut ? `${text.slice(from, at)}${FORGOTTEN}` : text.slice(from, end);
    from = end;
  }
  return clean + text.slice(from);
}

function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < other.length && one[length] === other[length]) length++;
  return length;
}
