// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what starts a colour code.
const ANSI = /\u001b(?:\[[0-9;?]*[A-Za-z]|\][^\u0007]*\u0007)/g;

/** The line without terminal colour codes, and without the zero bytes that a crash or a preallocated file leaves. */
export function stripColours(line: string): string {
  const plain = line.includes('\u001b') ? line.replace(ANSI, '') : line;
  return plain.includes('\0') ? plain.replaceAll('\0', '') : plain;
}
