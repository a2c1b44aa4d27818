/** Doubles what a quoted name or text must double. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as it stands in a statement. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
