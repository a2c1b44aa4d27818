import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const LARGEST = 512 * 1024 * 1024;
const unpack = promisify(gunzip);

/** The text of a whole file, unpacked where it is gzip, UTF-16 where its first bytes say so. @throws the file system's error, or zlib's. */
export async function readFileText(path: string): Promise<string> {
  const raw = await readFile(path);
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? await unpack(raw, { maxOutputLength: LARGEST }) : raw;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.toString('utf8');
}
