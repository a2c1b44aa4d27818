const MOST_CHARACTERS = 240;

/**
 * The message with what differs from one to the next replaced by `#`: numbers, times, ids, UUIDs, long hex words.
 * Messages with the same template are counted as one.
 */
export function maskMessage(message: string): string {
  const text = message.length > MOST_CHARACTERS ? message.slice(0, MOST_CHARACTERS) : message;
  let masked = '';
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (!isWord(code)) {
      at++;
      continue;
    }
    const start = at;
    let hasDigit = false;
    let isHex = true;
    for (let inside = code; isWord(inside); inside = text.charCodeAt(++at)) {
      if (inside <= 0x39) hasDigit = true;
      else if (!isHexLetter(inside)) isHex = false;
    }
    if (!hasDigit) continue;
    masked += text.slice(from, start) + (isHex && at - start >= 8 ? '#' : maskDigits(text.slice(start, at)));
    from = at;
  }
  if (from === 0) return text;
  return (masked + text.slice(from)).replace(/#(?:[-:.,+TZ]?#)+Z?/g, '#');
}

function maskDigits(word: string): string {
  return word.replace(/\d+/g, '#');
}

function isWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isHexLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}
