import type * as DuckDb from '@duckdb/node-api';
import type { Cell } from '../../core/source.ts';

const BLOB_BYTES_SHOWN = 16;
const INFINITE_DAYS = 2 ** 31 - 1;
const INFINITE_TICKS = 2n ** 63n - 1n;

type Module = typeof DuckDb;
type Value = DuckDb.DuckDBValue;

/** Turns DuckDB's values into cells without a detour through a JavaScript number. */
export function createCellReader(duckdb: Module): (value: Value, type: DuckDb.DuckDBType) => Cell {
  const isFloat = (type: DuckDb.DuckDBType): boolean => type.typeId === duckdb.DuckDBTypeId.FLOAT;
  return (value, type) => {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'bigint') return integerCell(value);
    if (typeof value === 'number') return numberCell(isFloat(type) ? shortestFloat(value) : value);
    if (isNested(duckdb, value)) return jsonText(duckdb, value);
    return scalarText(duckdb, value);
  };
}

function integerCell(value: bigint): Cell {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}

function numberCell(value: number): Cell {
  return Number.isFinite(value) ? value : String(value);
}

/** The shortest decimal that is the same 32-bit float: 0.1 rather than 0.10000000149011612. */
function shortestFloat(value: number): number {
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

function isNested(duckdb: Module, value: Value): boolean {
  return (
    value instanceof duckdb.DuckDBListValue ||
    value instanceof duckdb.DuckDBArrayValue ||
    value instanceof duckdb.DuckDBStructValue ||
    value instanceof duckdb.DuckDBMapValue ||
    value instanceof duckdb.DuckDBUnionValue ||
    value instanceof duckdb.DuckDBVariantValue
  );
}

/** JSON text in which integers and decimals keep all their digits. */
function jsonText(duckdb: Module, value: Value): string {
  const nested = (child: Value): string => jsonText(duckdb, child);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
  if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) return `[${value.items.map(nested).join(',')}]`;
  if (value instanceof duckdb.DuckDBStructValue) return objectText(Object.entries(value.entries), nested);
  if (value instanceof duckdb.DuckDBMapValue) return mapText(value, nested);
  if (value instanceof duckdb.DuckDBUnionValue) return objectText([[value.tag, value.value]], nested);
  if (value instanceof duckdb.DuckDBVariantValue) return nested(value.value);
  const text = scalarText(duckdb, value);
  return value instanceof duckdb.DuckDBDecimalValue ? text : JSON.stringify(text);
}

function objectText(entries: readonly (readonly [string, Value])[], nested: (value: Value) => string): string {
  return `{${entries.map(([name, child]) => `${JSON.stringify(name)}:${nested(child)}`).join(',')}}`;
}

/** A map with text keys as an object; else as pairs, since JSON has no other keys. */
function mapText(map: DuckDb.DuckDBMapValue, nested: (value: Value) => string): string {
  if (map.entries.every((entry) => typeof entry.key === 'string'))
    return objectText(
      map.entries.map((entry) => [String(entry.key), entry.value]),
      nested,
    );
  return `[${map.entries.map((entry) => `[${nested(entry.key)},${nested(entry.value)}]`).join(',')}]`;
}

function scalarText(duckdb: Module, value: Exclude<Value, null | boolean | number | bigint | string>): string {
  if (value instanceof duckdb.DuckDBBlobValue) return blobText(value.bytes);
  if (value instanceof duckdb.DuckDBDateValue) return infinityText(BigInt(value.days), BigInt(INFINITE_DAYS)) ?? value.toString();
  if (value instanceof duckdb.DuckDBTimestampTZValue)
    return infinityText(value.micros, INFINITE_TICKS) ?? `${new duckdb.DuckDBTimestampValue(value.micros).toString()}+00`;
  if (value instanceof duckdb.DuckDBTimestampValue) return infinityText(value.micros, INFINITE_TICKS) ?? value.toString();
  if (value instanceof duckdb.DuckDBTimestampNanosecondsValue) return infinityText(value.nanos, INFINITE_TICKS) ?? value.toString();
  if (value instanceof duckdb.DuckDBTimestampMillisecondsValue) return infinityText(value.millis, INFINITE_TICKS) ?? value.toString();
  if (value instanceof duckdb.DuckDBTimestampSecondsValue) return infinityText(value.seconds, INFINITE_TICKS) ?? value.toString();
  return value.toString();
}

function infinityText(value: bigint, infinite: bigint): string | undefined {
  if (value === infinite) return 'infinity';
  return value === -infinite ? '-infinity' : undefined;
}

function blobText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.subarray(0, BLOB_BYTES_SHOWN)).toString('hex');
  return `0x${hex}${bytes.length > BLOB_BYTES_SHOWN ? '…' : ''} (${bytes.length} bytes)`;
}
