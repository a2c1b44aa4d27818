import { readFile, stat } from 'node:fs/promises';
import type { CST, Document, LineCounter } from 'yaml';
import type { Problem } from '../core/errors.ts';
import { maskVariables } from './environment-text.ts';
import type { Path, YamlDocument, YamlReading, YamlRules } from './yaml-document.ts';
import { byPlace, ConversionStopped, type ConvertedValues, convertValues, lineAndColumn } from './yaml-values.ts';

const MOST_BYTES = 1_000_000;
const MOST_DEPTH = 64;
/** One mistake can make thousands of follow-on errors; nobody reads past these. */
const MOST_PROBLEMS = 50;

/** How a YAML error of the parser reads to its author: the fact and what to do. */
const PARSER_FIXES: Readonly<Record<string, readonly [fact: string, fix: string]>> = {
  TAB_AS_INDENT: ['a tab is used for indentation', 'use spaces'],
  BAD_INDENT: ['the indentation does not fit the lines around it', 'line it up with them'],
  MISSING_CHAR: ['a closing quote, bracket or comma is missing', 'close what was opened'],
  MULTILINE_IMPLICIT_KEY: ['a key runs over several lines', 'put a ":" after the key on its own line'],
  BLOCK_AS_IMPLICIT_KEY: ['a value holds a ": " of its own', 'put the value in quotes'],
  UNEXPECTED_TOKEN: ['something stands where YAML expects nothing', 'check the quotes and brackets before it'],
};

function readParserError({ code, message }: { readonly code: string; readonly message: string }): readonly [fact: string, fix: string] {
  // The parser sees only that the next line begins too far left for a list that is still open.
  const open = /^Flow (?:sequence|map) .*end with a ([\]}])/.exec(message)?.[1];
  if (open) return [`a ${open === ']' ? '"["' : '"{"'} of a line above is not closed`, `close it with "${open}"`];
  return PARSER_FIXES[code] ?? [`not valid YAML: ${message}`, 'correct the syntax here'];
}

/**
 * Reads a YAML file of at most 1 MB with one document, a map, nested at most 64 deep. Never throws for what the file
 * holds: all that is wrong comes back as problems, each with `label:line:column`.
 *
 * @param label how the file is named in messages
 */
export async function readYaml(file: string, label: string, rules: YamlRules): Promise<YamlReading> {
  const text = await readText(file, label);
  if (typeof text !== 'string') return { problems: [text] };
  return readYamlText(text, { file, label, rules });
}

async function readText(file: string, label: string): Promise<string | Problem> {
  try {
    const { size } = await stat(file);
    if (size > MOST_BYTES) {
      const fact = `the file has ${size} bytes; at most ${MOST_BYTES} are read`;
      return { where: `${label}:1:1`, fact, fix: 'split it, or check that it is the file you meant' };
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return { where: `${label}:1:1`, fact: 'the file is not UTF-8 text', fix: 'save it as UTF-8' };
    return {
      where: `${label}:1:1`,
      fact: `the file cannot be read (${code ?? 'unknown reason'})`,
      fix: 'check the path and its permissions',
    };
  }
}

/** As {@link readYaml}, of a text that stands in a file. */
export async function readYamlText(
  written: string,
  { file, label, rules }: { readonly file: string; readonly label: string; readonly rules: YamlRules },
): Promise<YamlReading> {
  const yaml = await import('yaml');
  const text = maskVariables(written);
  const lines = new yaml.LineCounter();
  const problems: Problem[] = [];
  const report = (offset: number, fact: string, fix?: string): void => {
    if (problems.length >= MOST_PROBLEMS) return;
    const where = `${label}:${placeOf(lines, offset)}`;
    if (!problems.some((other) => other.where === where && other.fact === fact)) problems.push({ where, fact, ...(fix ? { fix } : {}) });
  };
  const tokens = [...new yaml.Parser(lines.addNewLine).parse(text)];
  const tooDeep = deepestOffset(tokens);
  if (tooDeep !== undefined) {
    report(tooDeep, `values nested deeper than ${MOST_DEPTH}`, 'flatten it, or check the brackets');
    return { problems };
  }
  const composer = new yaml.Composer({ prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
  const documents = [...composer.compose(tokens, true, text.length)];
  const [document, second] = documents;
  for (const error of documents.flatMap((one) => [...one.errors])) {
    const [fact, fix] = readParserError(error);
    report(error.pos[0], fact, fix);
  }
  if (second) report(second.range[0], 'the file holds more than one document', 'keep one; remove the "---" line');
  if (!document || problems.length > 0) return { problems: byPlace(problems) };
  const values = convertTop(yaml, { document, text, rules, report });
  if (!values) return { problems: byPlace(problems) };
  const result: YamlDocument = {
    file,
    value: values.value as Record<string, unknown>,
    where: (path, part = 'value') => `${label}:${lineAndColumn(values, lines, path, part)}`,
    shown: (path) => values.shown.get(JSON.stringify(path)),
    unfilled: new Set([...values.unfilled].map((path) => `${label}:${lineAndColumn(values, lines, JSON.parse(path) as Path, 'value')}`)),
  };
  return { document: result, problems: byPlace(problems) };
}

function convertTop(
  yaml: typeof import('yaml'),
  request: {
    readonly document: Document;
    readonly text: string;
    readonly rules: YamlRules;
    readonly report: (offset: number, fact: string, fix?: string) => void;
  },
): ConvertedValues | undefined {
  const { contents } = request.document;
  if (contents === null || (yaml.isScalar(contents) && contents.value === null)) {
    request.report(0, 'the file is empty', 'write at least one key, or remove the file');
    return undefined;
  }
  if (!yaml.isMap(contents)) {
    const kind = yaml.isSeq(contents) ? 'a list' : 'a single value';
    request.report(
      (contents as { range?: readonly [number, number, number] }).range?.[0] ?? 0,
      `the file holds ${kind}, not keys`,
      'write it as name: value',
    );
    return undefined;
  }
  try {
    return convertValues({ yaml, ...request });
  } catch (error) {
    if (error instanceof ConversionStopped) return undefined;
    throw error;
  }
}

function placeOf(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${Math.max(1, line)}:${Math.max(1, col)}`;
}

/** The offset of the first collection beyond the depth, found without recursion: composing such a file could overflow the stack. */
function deepestOffset(tokens: readonly CST.Token[]): number | undefined {
  const waiting: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { token, depth } = next;
    if (depth > MOST_DEPTH) return token.offset;
    if (token.type === 'document') {
      if (token.value) waiting.push({ token: token.value, depth });
    } else if (token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection') {
      for (const item of token.items) {
        if (item.key) waiting.push({ token: item.key, depth: depth + 1 });
        if (item.value) waiting.push({ token: item.value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}
