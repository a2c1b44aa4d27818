import type { IdentifierMention, Mention } from './mention.ts';
import type { ResultIndex } from './result-index.ts';

export interface NameMatch {
  readonly result: number;
  readonly path: string;
}

/** Where a name with digits stands: as a whole text, as a part of one, or as a file with a line in the same item. */
export function matchName(mention: IdentifierMention, index: ResultIndex): NameMatch | undefined {
  const { name, line } = mention;
  const place = index.names.get(name) ?? (line === undefined ? undefined : index.names.get(`${name}:${line}`)) ?? findInside(name, index);
  if (!place || line === undefined) return place;
  if (index.names.has(`${name}:${line}`)) return place;
  const lines = index.numbers.get(String(line)) ?? [];
  const file = lines.find(
    (entry) =>
      entry.label.key.includes('line') &&
      entry.label.names.some((known) => known === `=${name}` || known.endsWith(name.replace(/^…?\//, '/'))),
  );
  return file && { result: file.result, path: file.path };
}

/** "run_<day>_offset0.json": what stands behind a placeholder begins with what joins the parts of a name. */
const JOINT = /[_-]/;

/** As a stretch of a longer text, bounded by something that is neither a letter nor a digit. */
function findInside(name: string, index: ResultIndex): NameMatch | undefined {
  if (name.length < 3) return undefined;
  const bare = name.replace(/^…/, '');
  for (const [result, texts] of index.texts.entries())
    for (const { text, path } of texts) {
      const at = text.indexOf(bare);
      if (at >= 0 && (JOINT.test(bare.charAt(0)) || !isWordAt(text, at - 1)) && !isWordAt(text, at + bare.length)) return { result, path };
    }
  return undefined;
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{N}_]/u.test(text[at] ?? '');
}

const LEAST_QUOTE = 12;

export interface Quote extends NameMatch {
  readonly start: number;
  readonly end: number;
}

/** Quoted texts of the answer that stand word for word in a result: the figures inside need no other reading. */
export function findQuotes(text: string, index: ResultIndex): Quote[] {
  const quotes: Quote[] = [];
  for (const match of text.matchAll(/(?<![\p{L}\p{N}])"([^"\n]{12,600})"(?![\p{L}\p{N}])|“([^”\n]{12,600})”|`([^`\n]{1,600})`/gu)) {
    const inner = (match[1] ?? match[2] ?? match[3] ?? '')
      .toLowerCase()
      .replace(/(?:…|\.\.\.)$/, '')
      .trim();
    if (inner.length < LEAST_QUOTE || !/\d/.test(inner)) continue;
    const place = findText(inner, index) ?? findParts(inner, index);
    if (place) quotes.push({ ...place, start: match.index, end: match.index + match[0].length });
  }
  return quotes;
}

/** Values that stand in the answer as they are in a result, and are more than one figure: "22-30", "A4/80". */
export function findWholes(text: string, mentions: readonly Mention[], { names }: ResultIndex): Quote[] {
  return mentions.flatMap((mention) => {
    if (mention.kind === 'identifier') return [];
    const start = mention.start - (/[^\s,;|()"“”`]*$/.exec(text.slice(0, mention.start))?.[0].length ?? 0);
    const end = mention.end + (/^[^\s,;|()"“”`]*(?<![.:!?])/.exec(text.slice(mention.end))?.[0].length ?? 0);
    const place = end - start > mention.end - mention.start ? names.get(text.slice(start, end).toLowerCase()) : undefined;
    return place ? [{ ...place, start, end }] : [];
  });
}

const BEFORE = 18;
const LEAST_COPIED = 12;

/** True for a figure that stands, with the words before it, word for word in a text of a result: a message told without marks. */
export function findCopied(mention: Mention, answer: string, index: ResultIndex): NameMatch | undefined {
  const copied = answer.slice(Math.max(0, mention.start - BEFORE), mention.end).toLowerCase();
  if (copied.length < LEAST_COPIED || !/\p{L}{3}/u.test(copied) || /[`|\n]/.test(copied)) return undefined;
  return findText(copied.trimStart(), index);
}

/** Quotations with figures that stand in no result; a pair of marks around something short is no quotation. */
export function findMisquotes(text: string, quotes: readonly Quote[]): { readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/(?<=[\s(:])"(?=\S)([^"\n]{15,600}\S)"(?=[\s).,;:])|“([^”\n]{16,600})”/g)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length, inner: match[1] ?? match[2] ?? '' }))
    .filter(
      ({ start, end, inner }) => /\d/.test(inner) && /\s/.test(inner) && !quotes.some((quote) => quote.start < end && quote.end > start),
    );
}

/** A quotation that leaves something out: "first part … last part". */
function findParts(text: string, index: ResultIndex): NameMatch | undefined {
  const parts = text.split(/\s*(?:…|\.\.\.)\s*/).filter((part) => part.length >= 6);
  if (parts.length < 2) return undefined;
  for (const [result, texts] of index.texts.entries()) {
    const found = texts.find((candidate) => parts.every((part) => candidate.text.includes(part)));
    if (found) return { result, path: found.path };
  }
  return undefined;
}

function findText(text: string, index: ResultIndex): NameMatch | undefined {
  for (const [result, texts] of index.texts.entries()) {
    const found = texts.find((candidate) => candidate.text.includes(text));
    if (found) return { result, path: found.path };
  }
  return undefined;
}

/** `run-880` is a name, not number 880 of something, where a result holds it as one. */
export function namedWhole(mentions: readonly Mention[], { names }: ResultIndex): readonly Mention[] {
  return mentions.map((mention) => {
    const name = mention.text.toLowerCase();
    if (mention.kind !== 'number' || mention.label === undefined || name.includes('=') || !names.has(name)) return mention;
    const { text, start, end } = mention;
    return { kind: 'identifier', text, start, end, name };
  });
}
