const MOST_CHARACTERS = 240;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
    const isUuid = isHex && at - start === 8 && text.charCodeAt(at) === 0x2d && UUID.test(text.slice(start, start + 36));
    if (isUuid) at = start + 36;
    else if (!hasDigit) continue;
    if (isUuid || (isHex && at - start >= 8)) {
      if (from === 0 || !joins(text, from, start)) masked += `${text.slice(from, start)}#`;
      from = at;
      continue;
    }
    for (let digit = start; digit < at; ) {
      if (text.charCodeAt(digit) > 0x39) {
        digit++;
        continue;
      }
      if (from === 0 || !joins(text, from, digit)) masked += `${text.slice(from, digit)}#`;
      while (digit < at && text.charCodeAt(digit) <= 0x39) digit++;
      from = digit;
    }
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** True when only a mark of a time, a UUID or a decimal stands between two masked parts: they are one. */
function joins(text: string, from: number, to: number): boolean {
  return to === from || (to === from + 1 && JOINTS.has(text.charCodeAt(from)));
}

const JOINTS: ReadonlySet<number> = new Set([...'-:.,+TZ'].map((character) => character.charCodeAt(0)));

function isWord(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isHexLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x66) || (code >= 0x41 && code <= 0x46);
}
