import type { FileReading } from '../../core/file-reading.ts';
import type { Scope } from '../../core/scope.ts';
import type { TableEngine } from '../../core/source.ts';

const MOST_SHOWN = 2000;

/** Adds columns and rows from the file's own schema; a damaged file becomes a warning. */
export async function readParquet(reading: FileReading, engine: TableEngine, scope: Scope): Promise<FileReading> {
  try {
    const { columns } = await engine.describeTable(reading.path, scope);
    const relation = await engine.relation(reading.path, scope);
    const counted = await engine.query({ sql: `SELECT count(*) FROM ${relation}`, maxRows: 1, maxBytes: 1000, timeoutMs: 30_000, scope });
    if (!counted.ok) throw new Error(counted.message);
    return {
      ...reading,
      width: columns.length,
      columns: columns.slice(0, MOST_SHOWN).map(({ name, type, position }) => ({
        name,
        position,
        type: type.toLowerCase(),
        evidence: "the file's own schema",
        empty: 0,
        empty_quoted: 0,
      })),
      rows: { count: Number(counted.rows[0]?.[0] ?? 0), exact: true },
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...reading, warnings: [...reading.warnings, { code: 'damaged', message: `the Parquet file cannot be read: ${message}` }] };
  }
}
