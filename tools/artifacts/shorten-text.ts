/** The text, or its beginning and how many characters were left out; line breaks kept. */
export function shortenText(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… (+${text.length - kept.length} characters)`;
}
