/** What the text of a statement says about itself, without an engine. */
export interface SqlScan {
  /** `select`, `insert`, `create` …; `none` for a text without a statement. */
  readonly statement: string;
  /** Where a table name may stand, dotted names as one; names of the statement's own WITH left out. */
  readonly mentions: readonly string[];
  /** Templating of dbt and others, which no engine reads. */
  readonly hasTemplate: boolean;
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|((?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*)(?:\s*\.\s*(?:"(?:[^"]|"")*"|[\p{L}_][\p{L}\p{N}_$]*))*)|[(),;]/gu;
const READING = new Set(['SELECT', 'VALUES', 'TABLE', 'FROM', 'DESCRIBE', 'DESC', 'SHOW', 'SUMMARIZE', 'PIVOT', 'UNPIVOT']);
const CHANGING = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);
const ENDS_FROM = new Set(
  'WHERE GROUP ORDER HAVING LIMIT UNION INTERSECT EXCEPT SELECT SET VALUES WINDOW QUALIFY FETCH OFFSET RETURNING'.split(' '),
);
const BEFORE_TABLE = new Set(['FROM', 'JOIN', 'INTO', 'UPDATE', 'TABLE', 'DESCRIBE', 'SUMMARIZE']);
const NO_NAME = new Set(['LATERAL', 'ONLY', 'SELECT', 'UNNEST', 'IF', 'NOT', 'EXISTS', 'VALUES', 'AS']);

/** One level of brackets. */
interface Level {
  /** What it begins with. */
  first: string | undefined;
  inFrom: boolean;
}

/** Whether a FROM names tables: that of `extract(year FROM day)` and of `a IS DISTINCT FROM b` does not. */
function namesTables({ first = '' }: Level, before: string): boolean {
  return before !== 'DISTINCT' && (READING.has(first) || CHANGING.has(first) || first === 'WITH' || first === '(');
}

/** Reads the words of a statement; texts and comments are passed over. */
export function scanSql(sql: string): SqlScan {
  const mentions = new Set<string>();
  const own = new Set<string>();
  let statement = '';
  let expects = false;
  const levels: Level[] = [{ first: 'SELECT', inFrom: false }];
  let before = '';
  for (const match of sql.matchAll(TOKEN)) {
    const [token, name] = match;
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    const level = levels.at(-1) as Level;
    if (token === '(') {
      level.first ??= token;
      levels.push({ first: undefined, inFrom: false });
      expects = false;
    } else if (token === ')') {
      if (levels.length > 1) levels.pop();
      expects = false;
    } else if (token === ',') expects = level.inFrom;
    else if (token.startsWith("'")) {
      if (expects) mentions.add(token.slice(1, -1).replaceAll("''", "'"));
      level.first ??= token;
      expects = false;
    } else if (name !== undefined) {
      const word = name.toUpperCase();
      level.first ??= word;
      if (levels.length === 1 && (statement === '' || statement === 'WITH')) statement = nextStatement(statement, word);
      const after = sql.slice(match.index + token.length).trimStart();
      if (
        /^(\([^()]*\)\s*)?as\s+(not\s+)?(materialized\s+)?\(/i.test(after) &&
        (before === 'WITH' || before === ',' || before === 'RECURSIVE')
      )
        own.add(unquote(name).toLowerCase());
      if (expects && !NO_NAME.has(word)) {
        if (!after.startsWith('(')) mentions.add(unquote(name));
        expects = false;
      }
      if (BEFORE_TABLE.has(word) && (word !== 'FROM' || namesTables(level, before))) {
        expects = true;
        if (word === 'FROM' || word === 'JOIN') level.inFrom = true;
      } else if (ENDS_FROM.has(word)) level.inFrom = false;
    }
    before = token.toUpperCase();
  }
  return {
    statement: (statement || 'none').toLowerCase(),
    mentions: [...mentions].filter((mention) => !own.has(mention.toLowerCase())),
    hasTemplate: /\{\{|\{%/.test(sql),
  };
}

/** A WITH is what follows it. */
function nextStatement(before: string, word: string): string {
  if (before === '') return READING.has(word) ? 'SELECT' : word;
  return CHANGING.has(word) ? word : READING.has(word) && word !== 'FROM' ? 'SELECT' : before;
}

function unquote(name: string): string {
  return name.replace(/"((?:[^"]|"")*)"/g, (_, inner: string) => inner.replaceAll('""', '"')).replace(/\s*\.\s*/g, '.');
}
