import type { Scope } from '../../core/scope.ts';
import { addCell, newColumnEvidence } from './column-evidence.ts';
import { decodeBytes } from './decode-text.ts';
import { scanEncoding } from './detect-encoding.ts';
import { detectMagic } from './detect-kind.ts';
import { filterRows } from './filter-rows.ts';
import { type DateHints, settledDateOrders } from './gather-hints.ts';
import { guessDialect } from './guess-dialect.ts';
import { readHead } from './read-chunks.ts';
import { shapeTable } from './shape-table.ts';

const MOST_SISTERS = 20;
const SISTER_BYTES = 256 * 1024;

/** Date orders that the beginnings of files with the same column names settle. */
export async function sisterDateOrders(paths: readonly string[], names: readonly string[], scope: Scope): Promise<DateHints> {
  const hints: DateHints = new Map();
  for (const path of paths.slice(0, MOST_SISTERS)) {
    for (const [family, hint] of await ordersOf(path, names, scope)) {
      const known = hints.get(family);
      if (known && known.order !== hint.order) return new Map();
      hints.set(family, hint);
    }
  }
  return hints;
}

async function ordersOf(path: string, names: readonly string[], scope: Scope): Promise<DateHints> {
  const raw = await readHead({ path, gzip: false, scope, limit: 64 }).catch(() => undefined);
  if (raw === undefined) return new Map();
  const magic = detectMagic(raw.bytes);
  if (magic.kind !== null) return new Map();
  const { bytes } = await readHead({ path, gzip: magic.compression === 'gzip', scope, limit: SISTER_BYTES });
  const encodings = scanEncoding();
  encodings.feed(bytes);
  const text = decodeBytes(bytes, encodings.end().name, false);
  const guess = guessDialect(text, bytes.length < SISTER_BYTES);
  const shape = shapeTable(guess.records);
  if (shape.names.length !== names.length || shape.names.some((name, index) => name !== names[index])) return new Map();
  const evidence = shape.names.map((name) => ({ name, evidence: newColumnEvidence() }));
  const filter = filterRows(shape, ({ fields, quoted, line }) => {
    evidence.forEach(({ evidence: cells }, index) => {
      addCell(cells, fields[index] ?? '', quoted?.[index] === true, line);
    });
  });
  for (const record of guess.records) filter.add(record);
  filter.end();
  return settledDateOrders(evidence, ` of ${path.slice(path.lastIndexOf('/') + 1)}`);
}
