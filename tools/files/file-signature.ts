import { open } from 'node:fs/promises';

const SIGNATURES: readonly (readonly [kind: string, at: number, hex: string])[] = [
  ['gzip', 0, '1f8b'],
  ['zip or xlsx', 0, '504b0304'],
  ['zstd', 0, '28b52ffd'],
  ['bzip2', 0, '425a68'],
  ['xz', 0, 'fd377a585a00'],
  ['parquet', 0, '50415231'],
  ['sqlite', 0, '53514c69746520666f726d6174203300'],
  ['duckdb', 8, '4455434b'],
  ['pdf', 0, '25504446'],
  ['avro', 0, '4f626a01'],
  ['orc', 0, '4f5243'],
];

/** Kinds that a file of this extension may rightly have; an extension that is not here promises nothing. */
const PROMISED: Readonly<Record<string, readonly string[]>> = {
  csv: ['text'],
  tsv: ['text'],
  txt: ['text', 'json'],
  log: ['text', 'json'],
  json: ['json'],
  jsonl: ['json'],
  ndjson: ['json'],
  parquet: ['parquet'],
  gz: ['gzip'],
  zst: ['zstd'],
  zip: ['zip or xlsx'],
  xlsx: ['zip or xlsx'],
  sqlite: ['sqlite'],
  duckdb: ['duckdb'],
};

/** What the file's first bytes say it is: `gzip`, `parquet`, `json`, `html`, `text` … or undefined when they cannot be read. */
export async function readSignature(path: string): Promise<string | undefined> {
  const handle = await open(path, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    return kindOf(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function kindOf(head: Buffer): string {
  for (const [kind, at, hex] of SIGNATURES) {
    if (head.subarray(at, at + hex.length / 2).toString('hex') === hex) return kind;
  }
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (!wide && head.subarray(0, 64).filter((byte) => byte === 0).length > 2 && !/^(.\0)+/.test(head.toString('latin1'))) return 'binary';
  const text = head
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^<(!doctype|html|\?xml)/i.test(text)) return /^<\?xml/i.test(text) ? 'xml' : 'html';
  return /^[{[]/.test(text) ? 'json' : 'text';
}

/** What a file is when its name promises something else; undefined when both agree. */
export function contradictsName(path: string, kind: string): { readonly named: string; readonly is: string } | undefined {
  const named = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const promised = PROMISED[named];
  if (promised === undefined || promised.includes(kind)) return undefined;
  if (kind === 'json' && (named === 'csv' || named === 'tsv')) return { named, is: 'json (or text that starts like it)' };
  return { named, is: kind };
}
