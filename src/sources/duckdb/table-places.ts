const TOKEN = /([\p{L}_][\p{L}\p{N}_$]*)(\s*\.)?|[(),[\]{}]/gu;
const ENDS_FROM = new Set(
  'WHERE GROUP ORDER HAVING LIMIT OFFSET UNION INTERSECT EXCEPT SELECT VALUES WINDOW QUALIFY FETCH SET INTO PIVOT UNPIVOT SUMMARIZE DESCRIBE'.split(
    ' ',
  ),
);
/** What a bracket must begin with for a FROM in it to name tables: `extract(year FROM day)` names none. */
const BEGINS_QUERY = new Set(['SELECT', 'WITH', 'FROM', 'PIVOT', 'UNPIVOT']);

interface Level {
  first: string | undefined;
  inFrom: boolean;
  /** A table's name, or a call of one, may stand next. */
  expects: boolean;
}

/** Where in a statement, its texts and comments masked, a table is named: each place is that of the last part of a name. */
export function findTablePlaces(code: string): ReadonlySet<number> {
  const places = new Set<number>();
  const levels: Level[] = [{ first: 'SELECT', inFrom: false, expects: false }];
  let before = '';
  for (const match of code.matchAll(TOKEN)) {
    const level = levels.at(-1) ?? { first: undefined, inFrom: false, expects: false };
    const [token, word, dot] = match;
    if (word !== undefined) {
      const upper = word.toUpperCase();
      level.first ??= upper;
      if (dot === undefined && level.expects && !isClause(upper)) {
        places.add(match.index);
        level.expects = false;
      }
      readClause(level, upper, before);
      before = upper;
      continue;
    }
    before = '';
    if (token === ',') level.expects = level.inFrom;
    else if ('([{'.includes(token)) {
      const isGroup = token === '(' && level.expects;
      levels.push({ first: undefined, inFrom: isGroup, expects: isGroup });
      level.expects = false;
    } else if (levels.length > 1) levels.pop();
  }
  return places;
}

function isClause(word: string): boolean {
  return ENDS_FROM.has(word) || word === 'LATERAL' || word === 'FROM' || word === 'JOIN' || word === 'WITH';
}

function readClause(level: Level, word: string, before: string): void {
  if (word === 'FROM') {
    if (before === 'DISTINCT' || !BEGINS_QUERY.has(level.first ?? '')) return;
    level.inFrom = true;
    level.expects = true;
  } else if (word === 'JOIN') level.expects = level.inFrom;
  else if (ENDS_FROM.has(word)) {
    level.inFrom = false;
    level.expects = false;
  }
}
