/**
 * Columns of a query that its own text sets to a constant (`SELECT 999 AS total`): such a value says what the model
 * wrote, not what the data holds. Column names in lower case; a bare constant is its own name.
 */
export function constantNames(given: Readonly<Record<string, unknown>>): ReadonlySet<string> {
  const names = new Set<string>();
  const { sql } = given;
  if (typeof sql !== 'string') return names;
  for (const [, constant = '', quoted, plain] of sql.matchAll(CONSTANT)) names.add((quoted ?? plain ?? constant).trim().toLowerCase());
  return names;
}

/** The constants of a query that reads no table at all: its result is arithmetic on them; `undefined` for any other call. */
export function constantsOf(given: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { sql } = given;
  if (typeof sql !== 'string' || /\bfrom\b/i.test(sql)) return undefined;
  return sql.replace(/"[^"]*"|'[^']*'|\b[\p{L}_]\w*/gu, ' ').match(/\d+(?:\.\d+)?/g) ?? [];
}

const CONSTANT =
  /(?:select|,)\s*\(?\s*('[^']*'|[+-]?\d+(?:\.\d+)?)\s*\)?\s*(?:as\s+(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_]*)))?\s*(?=,|\)|from\b|union\b|;|$)/giu;
