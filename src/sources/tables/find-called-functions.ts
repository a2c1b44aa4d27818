/**
 * The names in a text of SQL that a bracket or a comment follows, in lower case: functions called, also quoted, under a schema
 * or as a method. Dialects differ in what is a text or a comment, so neither is passed over: it may name more than are
 * called, never fewer.
 */
export function findCalledFunctions(sql: string): ReadonlySet<string> {
  const called = new Set<string>();
  for (const match of sql.matchAll(/([\p{L}_][\p{L}\p{N}_$]*)["`\]]?\s*(?:\(|\/\*|--)/gu)) called.add((match[1] ?? '').toLowerCase());
  return called;
}
