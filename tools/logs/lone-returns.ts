/** True for a text whose lines end in a lone carriage return: many of these, and next to no newline. */
export function isSplitByReturns(chunk: Buffer): boolean {
  let returns = 0;
  for (let at = chunk.indexOf(0x0d); at >= 0 && returns < 1000; at = chunk.indexOf(0x0d, at + 1)) if (chunk[at + 1] !== 0x0a) returns++;
  const first = chunk.indexOf(0x0a);
  return returns > 1 && (first < 0 || chunk.indexOf(0x0a, first + 1) < 0);
}

/** The chunk itself, with newlines in place of returns. */
export function withNewlines(chunk: Buffer, endsInReturns: boolean): Buffer {
  if (endsInReturns) for (let at = chunk.indexOf(0x0d); at >= 0; at = chunk.indexOf(0x0d, at + 1)) chunk[at] = 0x0a;
  return chunk;
}
