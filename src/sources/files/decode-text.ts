import type { TextEncodingName } from '../../core/file-reading.ts';
import { type ChunkSource, readChunks } from './read-chunks.ts';

const MARKS = /^\ufeff+/;

/** Text of a file in pieces, without byte order marks in front, of which files put together have several; invalid sequences come out as U+FFFD. */
export async function* decodeText(source: ChunkSource, encoding: TextEncodingName): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: false });
  let begun = false;
  for await (const chunk of readChunks(source)) {
    const decoded = decoder.decode(chunk, { stream: true });
    const text = begun ? decoded : decoded.replace(MARKS, '');
    if (text.length === 0) continue;
    begun = true;
    yield text;
  }
  const rest = decoder.decode();
  if (rest.length > 0) yield rest;
}

/** Text of bytes that are already in memory; `ends` false leaves out a character that the end cuts. */
export function decodeBytes(bytes: Buffer, encoding: TextEncodingName, ends: boolean): string {
  return new TextDecoder(encoding, { fatal: false }).decode(bytes, { stream: !ends }).replace(MARKS, '');
}
