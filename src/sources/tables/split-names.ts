/** A text, a comment, or a name in double quotes that has a dot inside. */
const TOKEN = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"((?:[^"]|"")*)"/g;

/**
 * Puts names such as `"schema.table"`, quoted as a whole, as the engine wants them: part by part. Only names that stand for a
 * table as `relations` has it are touched; texts and comments stay as they are.
 */
export function splitQuotedNames(sql: string, relations: ReadonlyMap<string, string>): string {
  return sql.replace(TOKEN, (token, quoted: string | undefined, at: number) => {
    if (quoted === undefined || !quoted.includes('.') || sql[at - 1] === '.' || sql[at + token.length] === '.') return token;
    return relations.get(quoted.replaceAll('""', '"').toLowerCase()) ?? token;
  });
}

/** Whether a statement holds a quoted name with a dot, so that it is worth asking for the tables. */
export function hasDottedName(sql: string): boolean {
  return /"[^"]*\.[^"]*"/.test(sql);
}
