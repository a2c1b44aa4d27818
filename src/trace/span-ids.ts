import { createHash } from 'node:crypto';

/** The trace of a session: the same whenever it is exported. 32 hexadecimal digits. */
export function traceId(session: string): string {
  return digest(`trace ${session}`).slice(0, 32);
}

/** A span of a session by what it is about (`agent c2`, `call r3`, `reply main 7`). 16 hexadecimal digits. */
export function spanId(session: string, about: string): string {
  return digest(`span ${session} ${about}`).slice(0, 16);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
