/**
 * The text without what would steer a terminal: a question or a log line may hold anything. Colours stay, which are ours or
 * harmless; JSON loses nothing, since it writes these characters as escapes.
 */
export function terminalText(text: string): string {
  return text.replaceAll(STEERING, '');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /\x1b(?!\[[\d;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;
