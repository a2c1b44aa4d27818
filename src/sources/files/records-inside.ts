import { type JsonRow, type JsonValue, parseJsonItem } from './parse-json-item.ts';
import { splitJson } from './split-json.ts';

/** A list of records that an object of a file wraps, as answers of services and exports do. */
export interface RecordsInside {
  /** Keys on the way to the list: `response.results`. */
  readonly at: string;
  /** The list as it stands in the file. */
  readonly text: string;
  readonly count: number;
  /** Keys beside the list that hold plain values, and those values. */
  readonly beside: readonly (readonly [string, string])[];
}

const DEEPEST = 3;
/** A list under another name is the file's content when it is most of it. */
const MOST_OF_IT = 0.6;
const ENVELOPE =
  /^(?:data|results?|items|records|rows|entries|hits|features|events|content|list|objects|documents|elements|response|payload|value|values)$/i;

/** The one list of records in an object; undefined where there is none or several could be meant. */
export function findRecords(row: JsonRow, characters: number): RecordsInside | undefined {
  let level: readonly Level[] = [{ row, path: [] }];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth++) {
    const lists = level.flatMap(({ row: holder, path }) =>
      listsOf(holder).map(({ key, text, count }) => ({ at: [...path, key], text, count })),
    );
    const [only, second] = lists;
    if (second) return undefined;
    if (only) {
      const { at, text, count } = only;
      const isContent = ENVELOPE.test(at.at(-1) ?? '') || text.length >= characters * MOST_OF_IT;
      return isContent ? { at: at.join('.'), text, count, beside: plainValues(level) } : undefined;
    }
    level = level.flatMap(({ row: holder, path }) => objectsOf(holder).map(([key, inner]) => ({ row: inner, path: [...path, key] })));
  }
  return undefined;
}

interface Level {
  readonly row: JsonRow;
  readonly path: readonly string[];
}

function listsOf(row: JsonRow): { readonly key: string; readonly text: string; readonly count: number }[] {
  return row.entries.flatMap(([key, { kind, text }]) => {
    if (kind !== 'nested' || !/^\[\s*\{/.test(text)) return [];
    const count = countObjects(text);
    return count > 1 || (count === 1 && ENVELOPE.test(key)) ? [{ key, text, count }] : [];
  });
}

/** Elements of a list of objects; none where something else stands among them. */
function countObjects(text: string): number {
  let count = 0;
  let others = 0;
  const splitter = splitJson(
    ({ raw }) => {
      if (raw.startsWith('{')) count++;
      else others++;
      return true;
    },
    () => {
      others++;
    },
  );
  splitter.feed(text);
  splitter.end();
  return others > 0 ? 0 : count;
}

function objectsOf(row: JsonRow): [string, JsonRow][] {
  return row.entries.flatMap(([key, { kind, text }]) => {
    const inner = kind === 'nested' && text.startsWith('{') ? parseJsonItem(text) : undefined;
    return inner ? [[key, inner] as [string, JsonRow]] : [];
  });
}

function plainValues(level: readonly Level[]): [string, string][] {
  const plain = ({ kind }: JsonValue): boolean => kind !== 'nested' && kind !== 'null';
  return level.flatMap(({ row }) =>
    row.entries.filter(([, value]) => plain(value)).map(([key, { text }]) => [key, text] as [string, string]),
  );
}
