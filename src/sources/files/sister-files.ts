import type { Scope } from '../../core/scope.ts';
import { addCell, type ColumnEvidence, newColumnEvidence } from './column-evidence.ts';
import { decodeBytes } from './decode-text.ts';
import { scanEncoding } from './detect-encoding.ts';
import { detectMagic } from './detect-kind.ts';
import { filterRows } from './filter-rows.ts';
import { type DateHints, settledDateOrders, settledDecimalMark } from './gather-hints.ts';
import { guessDialect } from './guess-dialect.ts';
import { readHead } from './read-chunks.ts';
import { scanJson } from './scan-json.ts';
import { shapeTable } from './shape-table.ts';

const MOST_SISTERS = 20;
const SISTER_BYTES = 256 * 1024;

export interface SisterHints {
  readonly dateOrders: DateHints;
  /** The mark and the file that settles it; undefined where none does or they differ. */
  readonly decimalMark: { readonly mark: ',' | '.'; readonly from: string } | undefined;
}

/** What the beginnings of files with the same column names settle; files that contradict each other settle nothing. */
export async function sisterHints(paths: readonly string[], names: readonly string[], scope: Scope): Promise<SisterHints> {
  const orders: DateHints = new Map();
  const contradicted = new Set<string>();
  const marks = new Map<',' | '.', string>();
  for (const path of paths.slice(0, MOST_SISTERS)) {
    const evidence = await evidenceOf(path, names, scope);
    const place = path.slice(path.lastIndexOf('/') + 1);
    for (const [family, hint] of settledDateOrders(evidence, ` of ${place}`)) {
      const known = orders.get(family);
      if (known && known.order !== hint.order) contradicted.add(family);
      orders.set(family, hint);
    }
    const mark = settledDecimalMark(evidence.map((column) => column.evidence));
    if (mark && !marks.has(mark)) marks.set(mark, place);
  }
  for (const family of contradicted) orders.delete(family);
  const [first] = [...marks];
  return { dateOrders: orders, decimalMark: marks.size === 1 && first ? { mark: first[0], from: first[1] } : undefined };
}

type NamedEvidence = readonly { readonly name: string; readonly evidence: ColumnEvidence }[];

async function evidenceOf(path: string, names: readonly string[], scope: Scope): Promise<NamedEvidence> {
  const raw = await readHead({ path, gzip: false, scope, limit: 64 }).catch(() => undefined);
  if (raw === undefined) return [];
  const magic = detectMagic(raw.bytes);
  if (magic.kind !== null) return [];
  const { bytes } = await readHead({ path, gzip: magic.compression === 'gzip', scope, limit: SISTER_BYTES });
  const gzip = magic.compression === 'gzip';
  const encodings = scanEncoding();
  encodings.feed(bytes);
  const { name: encoding } = encodings.end();
  const text = decodeBytes(bytes, encoding, false);
  if (/^\s*[[{]/.test(text)) {
    const { keys, evidence } = await scanJson({ path, gzip, encoding, scope, limit: SISTER_BYTES });
    return keys.flatMap((key, index) => (names.includes(key) && evidence[index] ? [{ name: key, evidence: evidence[index] }] : []));
  }
  const guess = guessDialect(text, bytes.length < SISTER_BYTES);
  const shape = shapeTable(guess.records);
  if (shape.names.length !== names.length || shape.names.some((name, index) => name !== names[index])) return [];
  const evidence = shape.names.map((name) => ({ name, evidence: newColumnEvidence() }));
  const filter = filterRows(shape, ({ fields, quoted, line }) => {
    evidence.forEach(({ evidence: cells }, index) => {
      addCell(cells, fields[index] ?? '', quoted?.[index] === true, line);
    });
  });
  for (const record of guess.records) filter.add(record);
  filter.end();
  return evidence;
}
