import { meaningsOfName } from './label-words.ts';
import { makeIndex } from './make-index.ts';
import { findSilent } from './mask-text.ts';
import type { Mention } from './mention.ts';
import { readMentions } from './read-mentions.ts';
import { inUtc, type Moment } from './read-moment.ts';
import { exactOf, numberStyle } from './read-number.ts';
import type { Entry, GroundingResult, Label, NamePlace, Origin, ResultIndex, TextPlace } from './result-index.ts';
import { type Unit, unitOfName } from './units.ts';

/** The most values of all results together, and of characters read from longer texts; beyond, only whole values count. */
const MOST_ENTRIES = 400_000;
const MOST_TEXT = 1_500_000;
const LONGEST_TEXT = 20_000;

export interface Found {
  readonly label: Label;
  readonly key: string;
  readonly result: number;
  readonly path: string;
}

/** Takes values as the walk finds them and puts them where they are looked for. */
export interface Collector {
  nextItem(): number;
  take(value: unknown, found: Found): void;
  takeArgument(value: unknown, found: Found): void;
  count(length: number, found: Found): void;
  finish(): ResultIndex;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?\s?(?:Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/;
const SPAN = /^-?(?:\d+ days? ?)?(?:\d{1,3}:\d{2}:\d{2}(?:\.\d+)?)?$/;
/** One name and nothing beside it holds no figure. */
const ONE_NAME = /^[\p{L}_][\p{L}\p{N}_]{0,199}$/u;
const NAME_CHUNK = /[\p{L}\p{N}_](?:[\p{L}\p{N}_.:+\-/=@#%~]*[\p{L}\p{N}_%])?/gu;

export function createCollector(results: readonly GroundingResult[]): Collector {
  const entries: Entry[] = [];
  const names = new Map<string, NamePlace>();
  const texts: TextPlace[][] = results.map(() => []);
  let items = 0;
  let textLeft = MOST_TEXT;
  const unitOf = createUnits();
  const add = (entry: Entry): void => {
    if (entries.length < MOST_ENTRIES) entries.push(entry);
  };
  const remember = (name: string, { result, path, label }: Found): void => {
    if (!names.has(name)) names.set(name, { result, path, item: label.item });
  };
  const addNumber = (text: number | string, found: Found, origin: Origin): boolean => {
    const exact = exactOf(text);
    if (exact === undefined) return false;
    const named = unitOf(found.key) ?? unitFromLabel(found.label);
    add(numberEntry(text, exact, { found, origin, named }));
    if (typeof text === 'string') remember(text.trim(), found);
    return true;
  };
  const addText = (text: string, found: Found, origin: Origin): void => {
    const lower = text.toLowerCase();
    texts[found.result]?.push({ text: lower, path: found.path });
    if (text.length <= 400) remember(lower.trim(), found);
    if (!/\d/.test(text) || textLeft <= 0 || ONE_NAME.test(text)) return;
    const part = text.slice(0, LONGEST_TEXT);
    textLeft -= part.length;
    readText(part, { found, origin, add, remember });
  };
  const take = (value: unknown, found: Found, origin: Origin): void => {
    if (typeof value === 'number') addNumber(value, found, origin);
    else if (typeof value === 'string') {
      if (addNumber(value, found, origin)) return;
      if (MOMENT.test(value)) {
        for (const entry of momentEntries(value, found, origin)) add(entry);
        remember(value.toLowerCase(), found);
        texts[found.result]?.push({ text: value.toLowerCase(), path: found.path });
      } else if (value !== '' && SPAN.test(value)) add(spanEntry(value, found, origin));
      else addText(value, found, origin);
    }
  };
  return {
    nextItem: () => ++items,
    take: (value, found) => take(value, found, 'field'),
    takeArgument: (value, found) => take(value, found, 'argument'),
    count: (length, found) => add(countEntry(length, found)),
    finish: () => makeIndex(results, entries, { names, texts }),
  };
}

/** The unit of each field, looked up once. */
function createUnits(): typeof unitOfName {
  const known = new Map<string, NamedUnit | undefined>();
  return (key) => {
    if (!known.has(key)) known.set(key, unitOfName(key));
    return known.get(key);
  };
}

type NamedUnit = NonNullable<ReturnType<typeof unitOfName>>;

interface NumberPlace {
  readonly found: Found;
  readonly origin: Origin;
  readonly named: NamedUnit | undefined;
}

/** A number is no name for itself. */
function numberEntry(text: number | string, exact: string, { found, origin, named }: NumberPlace): Entry {
  const { label, result, path } = found;
  const own = `=#${exact}`;
  return {
    kind: 'number',
    value: Number(exact) * (named?.factor ?? 1),
    exact,
    unit: named?.unit,
    negative: String(text).trim().startsWith('-'),
    label: label.names.includes(own) ? { ...label, names: label.names.filter((name) => name !== own) } : label,
    origin,
    result,
    path,
  };
}

function countEntry(length: number, { label, result, path }: Found): Entry {
  const exact = String(length);
  return { kind: 'number', value: length, exact, unit: undefined, negative: false, label, origin: 'list', result, path };
}

/** Names and figures within a longer text. */
function readText(text: string, part: TextPart): void {
  for (const match of text.matchAll(NAME_CHUNK)) if (/\d/.test(match[0])) rememberChunk(match[0].toLowerCase(), part.found, part.remember);
  for (const mention of readMentions(text, numberStyle(text), findSilent(text))) addMention(mention, text, part);
}

/** The field is named by its column where the item says so: `{column: "wait_s", max: 12}`. */
function unitFromLabel(label: Label): { readonly unit: Unit; readonly factor: number } | undefined {
  const name = label.names.find((candidate) =>
    /_(?:s|ms|sec|seconds|min|minutes|hours|bytes|kb|mb|gb|pct|percent|ratio|cents)$/.test(candidate),
  );
  const counts = label.key.some((word) => ['row', 'count', 'distinct', 'null', 'sample', 'position'].includes(word));
  return name === undefined || counts ? undefined : unitOfName(name);
}

function rememberChunk(chunk: string, found: Found, remember: (name: string, found: Found) => void): void {
  remember(chunk, found);
  if (!/[/=:.]/.test(chunk)) return;
  for (const part of chunk.split(/[/=]|:(?=\d+$)/)) if (/\d/.test(part)) remember(part, found);
}

function momentEntries(text: string, found: Found, origin: Origin): Entry[] {
  const [moment] = readMoments(text);
  return moment ? [momentEntry(moment, found, origin)] : [];
}

function readMoments(text: string): Moment[] {
  return readMentions(text, 'point').flatMap((mention) => (mention.kind === 'moment' ? mention.moments.slice(0, 1) : []));
}

function momentEntry(moment: Moment, found: Found, origin: Origin): Entry {
  const label = withoutOwn(found.label, moment.date, moment.time);
  const { result, path } = found;
  return { kind: 'moment', value: 0, exact: '', unit: undefined, negative: false, moment: inUtc(moment), label, origin, result, path };
}

/** A moment is no name for itself. */
function withoutOwn(label: Label, date: string | undefined, time: string | undefined): Label {
  if (date === undefined || label.names.length === 0) return label;
  const names = label.names.filter((name) => !(name.startsWith(`=${date}`) && (time === undefined || name.length > 11)));
  return names.length === label.names.length ? label : { ...label, names };
}

function spanEntry(text: string, { label, result, path }: Found, origin: Origin): Entry {
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] =
    /^-?(?:(\d+) days? ?)?(?:(\d{1,3}):(\d{2}):(\d{2}(?:\.\d+)?))?$/.exec(text) ?? [];
  const value = Number(days) * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return { kind: 'span', value, exact: exactOf(value) ?? '', unit: 's', negative: text.startsWith('-'), label, origin, result, path };
}

interface TextPart {
  readonly found: Found;
  readonly origin: Origin;
  readonly add: (entry: Entry) => void;
  readonly remember: (name: string, found: Found) => void;
}

/** A figure within a longer text: what stands around it there is what it is called. */
function addMention(mention: Mention, text: string, { found, origin, add, remember }: TextPart): void {
  const near = `${text.slice(Math.max(0, mention.start - 40), mention.start)} ${text.slice(mention.end, mention.end + 30)}`;
  const extra = mention.kind === 'number' && mention.label !== undefined ? meaningsOfName(mention.label) : [];
  const label: Label = { ...found.label, key: [...new Set([...meaningsOfName(near), ...extra, ...found.label.key])] };
  const { result, path } = found;
  // A number within a statement counts only where it is compared with: "store_id = 9".
  if (
    origin === 'argument' &&
    mention.kind === 'number' &&
    mention.label === undefined &&
    !/[=<>]\s*'?$/.test(text.slice(0, mention.start))
  )
    return;
  const from = origin === 'argument' ? origin : 'text';
  if (mention.kind === 'moment') {
    for (const moment of mention.moments) add(momentEntry(moment, { ...found, label }, from));
    if (mention.span)
      add({ kind: 'span', value: mention.span.seconds, exact: '', unit: 's', negative: false, label, origin: from, result, path });
  } else if (mention.kind === 'span')
    add({ kind: 'span', value: mention.seconds, exact: '', unit: 's', negative: false, label, origin: from, result, path });
  else if (mention.kind === 'number') {
    const reading = mention.readings[0];
    const factor = mention.factors[0] ?? 1;
    if (reading)
      add({
        kind: 'number',
        value: reading.value * factor,
        exact: factor === 1 ? reading.exact : (exactOf(reading.value * factor) ?? reading.exact),
        unit: mention.unit,
        negative: mention.negative,
        label,
        origin: from,
        result,
        path,
      });
  } else {
    remember(mention.name, found);
    for (const moment of readMoments(mention.name.toUpperCase().replace(/[^\d:.TZ+-]+/g, ' ')))
      add(momentEntry(moment, { ...found, label }, from));
  }
}
