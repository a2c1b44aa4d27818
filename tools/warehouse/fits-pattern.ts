/** Whether a table's name holds a text, or fits a pattern with * and ?, case ignored. */
export function fitsPattern(name: string, pattern: string | undefined): boolean {
  if (!pattern) return true;
  if (!/[*?]/.test(pattern)) return name.toLowerCase().includes(pattern.toLowerCase());
  const escaped = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^(?:.*[./])?${escaped}$`, 'is').test(name);
}
