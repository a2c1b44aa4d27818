/** A place in a query that may name a table. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|[\p{L}_][\p{L}\p{N}_$]*/gu;

/**
 * All texts in a query that may be names of tables: quoted and plain identifiers, and texts after FROM or JOIN, which
 * the engine takes as names too. Comments and other texts are left out.
 */
export function findMentions(sql: string): string[] {
  const found = new Set<string>();
  let before = '';
  for (const match of sql.matchAll(TOKEN)) {
    const [whole, quoted, text] = match;
    if (whole.startsWith('--') || whole.startsWith('/*')) continue;
    if (quoted !== undefined) found.add(quoted.replaceAll('""', '"'));
    else if (text !== undefined) {
      const between = sql.slice(0, match.index).trimEnd();
      if (/^(from|join|describe|summarize|table)$/i.test(before) || between.endsWith(',')) found.add(text.replaceAll("''", "'"));
    } else found.add(whole);
    before = whole;
  }
  return [...found];
}
