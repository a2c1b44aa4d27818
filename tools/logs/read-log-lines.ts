import { looksLikeRecord, wrappedRecords, wrappedText } from './find-records.ts';
import { inferYear, mayLackYears } from './infer-year.ts';
import { JsonSplitter } from './json-splitter.ts';
import { parseShallowJson } from './parse-shallow-json.ts';
import { type LineBatch, type LineReading, newLineReading, readLineBatches, readTextPieces } from './read-line-batches.ts';

/** Objects at the beginning of a document of which at least one has to read like an entry of a log. */
const MOST_UNLIKE = 20;

/**
 * The lines of a log. A document of JSON (written over many lines, a list, or an answer that wraps a list of entries)
 * comes out as one line an entry, numbered by the line on which it begins; a document that is no log as it stands.
 */
export async function* readLogLines(path: string, reading: LineReading): AsyncGenerator<LineBatch> {
  const batches = readLineBatches(path, reading);
  const head = await nextText(batches);
  if (!head) return;
  const { batch, first } = head;
  const opening = batch.lines[first] ?? '';
  if (/^\s*(?:\[\s*(?:\{.*)?|\{\s*)$/.test(opening)) {
    await batches.return(undefined);
    yield* unfold(path, reading);
  } else if (/^__(?:CURSOR|REALTIME_TIMESTAMP)=/.test(opening)) yield* unfoldJournal(batch, batches);
  else if (/^\{"/.test(opening) && isWrapper(opening)) yield* unwrap(batch, batches);
  else {
    if (mayLackYears(batch.lines)) reading.years = (await inferYear(path)) ?? null;
    yield batch;
    yield* batches;
  }
}

/** The first batch that holds more than blank lines. */
async function nextText(batches: AsyncGenerator<LineBatch>): Promise<{ readonly batch: LineBatch; readonly first: number } | undefined> {
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    const first = next.value.lines.findIndex((line) => line.trim() !== '');
    if (first >= 0) return { batch: next.value, first };
  }
  return undefined;
}

function isWrapper(line: string): boolean {
  const value = parseShallowJson(line);
  return !looksLikeRecord(value) && (wrappedRecords(value) !== undefined || wrappedText(value) !== undefined);
}

function entry(text: string, line: number): LineBatch {
  return { lines: [text], firstLine: line, unended: false, counted: 0 };
}

/** One answer a line. */
async function* unwrap(first: LineBatch, rest: AsyncGenerator<LineBatch>): AsyncGenerator<LineBatch> {
  for await (const batch of chain(first, rest)) {
    for (const [at, line] of batch.lines.entries()) yield* entriesOf(line, batch.firstLine + at);
    yield { lines: [], firstLine: batch.firstLine, unended: false, counted: batch.lines.length };
  }
}

/** The entries that an object holds or is. */
function entriesOf(text: string, line: number): readonly LineBatch[] {
  const value = parseShallowJson(text);
  if (value === undefined || looksLikeRecord(value)) return text.trim() === '' ? [] : [entry(text, line)];
  const records = wrappedRecords(value);
  if (records) return records.map((one) => entry(JSON.stringify(one), line));
  const texts = wrappedText(value);
  return texts ? [{ lines: texts, firstLine: line, unended: false, counted: 0 }] : [entry(text, line)];
}

async function* unfold(path: string, reading: LineReading): AsyncGenerator<LineBatch> {
  const splitter = new JsonSplitter();
  const isLog = (text: string): boolean => {
    const value = parseShallowJson(text);
    return looksLikeRecord(value) || wrappedRecords(value) !== undefined || wrappedText(value) !== undefined;
  };
  let unlike = 0;
  let known = false;
  let line = 1;
  Object.assign(reading, newLineReading());
  for await (const piece of readTextPieces(path, reading)) {
    for (const part of splitter.push(piece, line)) {
      if (isLog(part.text)) known = true;
      else if (!known && ++unlike >= MOST_UNLIKE) break;
      if (known) yield* entriesOf(part.text, part.line);
    }
    if (splitter.tooLarge || (!known && unlike >= MOST_UNLIKE)) break;
    const ends = piece.split('\n').length - 1;
    yield { lines: [], firstLine: line, unended: false, counted: ends };
    line += ends;
  }
  const cut = known ? splitter.rest() : undefined;
  if (cut) yield { lines: [cut.text.slice(0, 2000)], firstLine: cut.line, unended: true, counted: 0 };
  if (!known) yield { lines: ['['], firstLine: 1, unended: false, counted: 0 };
}

/** journald's export format: a field a line, a blank line between entries. */
async function* unfoldJournal(first: LineBatch, rest: AsyncGenerator<LineBatch>): AsyncGenerator<LineBatch> {
  let fields: Record<string, string> = {};
  let begin = first.firstLine;
  for await (const batch of chain(first, rest)) {
    for (const [at, line] of batch.lines.entries()) {
      const equals = line.indexOf('=');
      if (line === '') {
        if (Object.keys(fields).length > 0) yield entry(JSON.stringify(fields), begin);
        fields = {};
      } else if (equals > 0) {
        if (Object.keys(fields).length === 0) begin = batch.firstLine + at;
        fields[line.slice(0, equals)] = line.slice(equals + 1);
      }
    }
    yield { lines: [], firstLine: batch.firstLine, unended: false, counted: batch.lines.length };
  }
  if (Object.keys(fields).length > 0) yield entry(JSON.stringify(fields), begin);
}

async function* chain(first: LineBatch, rest: AsyncGenerator<LineBatch>): AsyncGenerator<LineBatch> {
  yield first;
  yield* rest;
}
