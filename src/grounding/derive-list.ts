import { groupBy } from '../core/group-by.ts';
import type { Derivation } from './derive-figure.ts';
import { fitsField } from './find-candidates.ts';
import type { Mention, NumberMention } from './mention.ts';
import { operandOf } from './operand.ts';
import type { Context } from './read-context.ts';
import type { Entry, ResultIndex } from './result-index.ts';
import { saysNear } from './score-label.ts';
import { sentenceAround } from './sentence-around.ts';
import { secondsIn } from './units.ts';

const SUMS = /\b(?:total\w*|sum\w*|together|altogether|overall|in all|combined|insgesamt|summe|gesamt|zusammen)\b/i;
const MEANS = /\b(?:average|averag\w*|mean|avg|durchschnitt\w*|mittel)\b/i;
const LOSSES = /\b(?:lost|missing|dropped|lacking|gone|verloren|fehl\w*)\b/i;
const LOST_FIELD = /(?:^|[._])(?:lost|missing|dropped|lacking|gone)(?:_[a-z]+)?$/i;
const PARTLY =
  /\d|\b(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zä]{0,6}\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:each|every|per|pro|je|days?|nights?|weeks?|months?|hours?|tag\w*|yesterday|today|first|last|only|most|least)\b/i;
const MOST_LISTS = 4000;

/** The sum or the mean of one field over all items of a list that is complete; the field must be named near by. */
export function deriveFromColumn(
  mention: NumberMention,
  text: string,
  { index, context }: { readonly index: ResultIndex; readonly context: Context },
): Derivation | undefined {
  const words = [...context.sentence].join(' ');
  const means = MEANS.test(words);
  const saysSum = SUMS.test(words);
  const losses = LOSSES.test(words);
  const { before, behind } = sentenceAround(mention, text);
  if (!saysSum && !means && !losses) return undefined;
  const reading = mention.readings[0];
  if (!reading || (reading.decimals === 0 && reading.value < 20)) return undefined;
  const scale = (mention.factors[0] ?? 1) * (secondsIn(mention.unit) ?? 1);
  const half = 0.5 * 10 ** -reading.decimals * scale;
  let looked = 0;
  for (const list of columnsOf(index)) {
    if (list.length < 2 || ++looked > MOST_LISTS) continue;
    const first = list[0] as Entry;
    if (first.kind !== 'number' || !isWhole(first, index) || !fitsField(mention, first)) continue;
    if (!saysNear({ ...first.label, names: [] }, context, 0.9)) continue;
    const sums = saysSum || (losses && isOfAll(list, before + behind));
    const total = sumOf(list);
    const near = (value: number): boolean =>
      Math.abs(value - reading.value * scale) <= (reading.decimals > 0 || scale > 1 ? half : 1e-9) + 1e-9 * Math.abs(value);
    const path = first.path.replace(/\[\d+\]/g, '[]');
    if (sums && near(total)) return { formula: `sum of ${path} (${list.length} values)`, entries: [{ ...first, path }] };
    if (means && Math.abs(total / list.length - reading.value * scale) <= half)
      return { formula: `mean of ${path} (${list.length} values)`, entries: [{ ...first, path }] };
  }
  return undefined;
}

/** "20 rows were lost": the field says so itself, and nothing in the sentence can be a part of the list of which the sum would not be told. */
function isOfAll(list: readonly Entry[], sentence: string): boolean {
  const words = sentence.replace(/\[[^\]]*\]/g, '').toLowerCase();
  if (!LOST_FIELD.test(list[0]?.path ?? '') || PARTLY.test(words)) return false;
  const said = new Set(words.split(/[^\p{L}\p{N}]+/u));
  return list.every(({ label }) =>
    label.names.every((name) => !name.split(/[^\p{L}\p{N}]+/u).some((part) => part !== '' && said.has(part))),
  );
}

/** The values of one field in one list of one result. */
export function* columnsOf(index: ResultIndex): Generator<readonly Entry[]> {
  for (const list of index.lists.values()) {
    const fields = list.filter(({ origin }) => origin === 'field');
    yield* groupBy(fields, ({ result }) => result).values();
  }
}

export function isWhole(entry: Entry, index: ResultIndex): boolean {
  const result = index.results[entry.result];
  return result !== undefined && (result.complete || result.whole !== undefined);
}

function sumOf(list: readonly Entry[]): number {
  return list.reduce((sum, entry) => sum + (operandOf(entry)?.value ?? 0), 0);
}

/**
 * How many things the answer itself lists: the items of a list below the sentence, or of an enumeration behind a colon.
 * Answers the formula, or nothing where the number is another.
 */
export function countListed(mention: NumberMention, text: string): string | undefined {
  const reading = mention.readings[0];
  if (!reading || mention.unit !== undefined || reading.decimals > 0 || reading.value < 2 || reading.value > 60) return undefined;
  const rest = text.slice(mention.end);
  const line = rest.split('\n', 1)[0] ?? '';
  const isCount = (count: number): boolean => count === reading.value;
  // A line of the list itself does not count its neighbours.
  const isItem = LIST_ITEM.test(text.slice(text.lastIndexOf('\n', mention.start - 1) + 1, mention.start));
  const below = isItem ? 0 : listBelow(rest.slice(line.length));
  if (below > 1 && isCount(below) && line.length < 200) return `count of the ${below} items listed below`;
  const named = isItem ? 0 : namesBelow(rest.slice(line.length));
  if (named > 1 && isCount(named)) return `count of the ${named} names in the list below`;
  const sections = new Set([...line.matchAll(/(?:[:.;)\]]|^)\s+(`[^`]+`):/g)].map((match) => match[1])).size;
  if (sections > 1 && isCount(sections)) return `count of the ${sections} names that follow`;
  const behind = /^[^.;\n]*?(?::|—|–|\()\s*([^\n]+)/.exec(rest)?.[1] ?? '';
  const names = [...behind.matchAll(/`[^`]+`(?=\s*[:,;.)]|\s+and\b|\s+und\b|$)/g)].length;
  if (names > 1 && isCount(names)) return `count of the ${names} names listed behind it`;
  const parts = (behind.split(/\.\s|[\n)]/, 1)[0] ?? '')
    .split(/\s*[,;]\s*(?:and\s+|und\s+)?|\s+(?:and|und|\+)\s+/)
    .filter((part) => part.trim() !== '').length;
  return parts > 1 && isCount(parts) ? `count of the ${parts} items listed behind it` : undefined;
}

const LIST_ITEM = /^\s*(?:[-*•|]|\d+[.)])\s/;

/** How many names lead the items of the list below, each counted once. */
function namesBelow(text: string): number {
  const lines =
    text
      .trimStart()
      .split(/\n\s*\n/, 1)[0]
      ?.split('\n') ?? [];
  // Behind the items that a name leads others may follow.
  const led = lines.findIndex((line) => !/^\s*[-*•]\s+`/.test(line));
  const names = (led > 1 ? lines.slice(0, led) : lines).map((line) => (LIST_ITEM.test(line) ? /`([^`]+)`/.exec(line)?.[1] : undefined));
  return names.includes(undefined) ? 0 : new Set(names).size;
}

/** Items of the list that begins on the next lines. */
function listBelow(text: string): number {
  let count = 0;
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      if (count > 0) break;
    } else if (/^\s{0,1}(?:[-*•]|\d+[.)])\s/.test(line)) count++;
    else if (!/^\s/.test(line)) break;
  }
  return count;
}

const OTHERS = /^\s*(?:later|other|others|remaining|further|more|earlier|of the others)\b/i;

function isOthers({ start, end }: NumberMention, text: string): boolean {
  return OTHERS.test(text.slice(end)) || /\b(?:other|remaining)\s+$/i.test(text.slice(Math.max(0, start - 12), start));
}

/** "7 other files" where the answer lists 8, or a result does: all but the one that is spoken of. */
export function countOthers(
  mention: NumberMention,
  text: string,
  { index, context }: { readonly index: ResultIndex; readonly context: Context },
): Derivation | undefined {
  const value = mention.readings[0]?.value ?? 0;
  if (mention.unit !== undefined || !Number.isInteger(value) || value < 1 || !isOthers(mention, text)) return undefined;
  for (const block of text.split(/\n\s*\n/)) {
    const items = block.split('\n').filter((line) => /^\s{0,1}(?:[-*•]|\d+[.)])\s/.test(line)).length;
    if (items === value + 1) return { formula: `count of the ${items} items listed - 1`, entries: [] };
  }
  const list = (index.numbers.get(String(value + 1)) ?? []).find(
    (entry) => entry.origin === 'list' && !entry.label.isGroup && saysNear({ ...entry.label, names: [] }, context, 0.9),
  );
  return list && { formula: `count of ${list.path} - 1`, entries: [list] };
}

/** "20 nodes, 9 models and 11 tests": what the figures right behind in the sentence add up to. */
export function sumOfNext(
  mention: NumberMention,
  text: string,
  next: readonly { readonly mention: Mention; readonly accepted: readonly { readonly entry: Entry }[] }[],
): Derivation | undefined {
  const value = mention.readings[0]?.value ?? 0;
  if (mention.unit !== undefined || !Number.isInteger(value) || value < 2) return undefined;
  const parts: Entry[] = [];
  let sum = 0;
  let from = mention.end;
  for (const { mention: part, accepted } of next) {
    const entry = accepted[0]?.entry;
    if (part.kind !== 'number' || part.unit !== undefined || !entry || !JOINS.test(text.slice(from, part.start))) break;
    parts.push(entry);
    sum += part.readings[0]?.value ?? 0;
    from = part.end;
    if (sum === value && parts.length > 1) return { formula: parts.map(({ exact }) => exact).join(' + '), entries: parts };
  }
  return undefined;
}

/** Between the parts of a sum: a few words, and a mark or "and". */
const JOINS = /^(?:\s[^.;\n\d]{0,40})?(?:,|:|\(|\band\b|\bund\b|\bof which\b)[^.;\n\d]{0,30}$/;

const FACTORS: ReadonlySet<number> = new Set([7, 10, 12, 24, 60, 100, 365, 1000, 1024, 1440, 3600, 86_400]);

/** A number that an expression multiplies or divides by to change a unit: `5009.87 * 100`. */
export function isUnitFactor(mention: NumberMention, context: Context): boolean {
  const value = mention.readings[0]?.value ?? 0;
  return (
    mention.unit === undefined &&
    FACTORS.has(value) &&
    (/(?<![\d-])\d+(?:\.\d+)?\s*[*×/÷]\s*$/.test(context.before) || /^\s*[*×]\s*\d/.test(context.behind))
  );
}
