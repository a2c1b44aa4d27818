/**
 * Columns of a query that its own text sets to a constant (`SELECT 999 AS total`): such a value says what the model
 * wrote, not what the data holds. Column names in lower case; a bare constant is its own name.
 */
export function constantNames(given: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const names = new Set<string>();
  const { sql } = given;
  if (typeof sql !== 'string') return names;
  for (const item of selectedItems(sql)) {
    const [, constant, quoted, plain] = CONSTANT.exec(item) ?? [];
    if (constant !== undefined) names.add((quoted ?? plain ?? constant).trim().toLowerCase());
  }
  return names;
}

/** The constants of a query that reads no table at all: its result is arithmetic on them; `undefined` for any other call. */
export function constantsOf(given: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { sql } = given;
  if (typeof sql !== 'string' || /\bfrom\b/i.test(sql)) return undefined;
  return sql.replace(/"[^"]*"|'[^']*'|\b[\p{L}_]\w*/gu, ' ').match(/\d+(?:\.\d+)?/g) ?? [];
}

const CONSTANT =
  /^(?:distinct\s+|all\s+)?\(*\s*('(?:[^']|'')*'|[+-]?\d+(?:\.\d+)?)\s*\)*\s*(?:as\s+)?(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_]*))?$/iu;
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),;]|[\p{L}_][\p{L}\p{N}_]*|\s+|./gsu;
const ENDS_LIST: ReadonlySet<string> = new Set(['from', 'union', 'intersect', 'except', ';', ')']);

/** What each SELECT of a statement selects, one text an item; a comma within a call (`round(x, 4)`) parts nothing. */
function* selectedItems(sql: string): Iterable<string> {
  /** One for each SELECT that is open, with the depth of brackets it stands at. */
  const open: { readonly depth: number; item: string }[] = [];
  let depth = 0;
  for (const [token] of sql.matchAll(TOKEN)) {
    const word = token.toLowerCase();
    const inner = open.at(-1);
    if (inner?.depth === depth && (ENDS_LIST.has(word) || word === ',')) {
      yield inner.item.trim();
      inner.item = '';
      if (word !== ',') open.pop();
    }
    if (word === '(') depth++;
    else if (word === ')') depth--;
    if (word === 'select') open.push({ depth, item: '' });
    else for (const select of open) if (!(select.depth === depth && word === ',')) select.item += token;
  }
  for (const { item } of open) yield item.trim();
}
