/**
 * The text without what would steer a terminal: a question or a log line may hold anything. Colours stay, which are ours or
 * harmless; JSON loses nothing, since what it may hold of these characters as they are becomes escapes.
 */
export function terminalText(text: string): string {
  const isJson = /^\s*[[{]/.test(text);
  return text.replaceAll(STEERING, (mark) => (isJson ? `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}` : ''));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const STEERING = /\x1b(?!\[[\d;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]/g;
