import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A session's id: sorts by time, 4 random letters at the end, e.g. `s-0kq3v8m2a-x7f2`. */
export function newSessionId(now: number): string {
  let time = '';
  for (let rest = now, place = 0; place < 9; place++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  let end = '';
  for (const byte of randomBytes(4)) end += ALPHABET[byte % 32];
  return `s-${time}-${end}`;
}
