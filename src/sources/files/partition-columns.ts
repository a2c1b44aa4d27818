import { quoteName, quoteText } from './quote-sql.ts';

/** A column that the path of a file gives to all its rows: `day=2026-01-01/`. */
export interface PartitionColumn {
  readonly name: string;
  readonly value: string | null;
  readonly type: 'BIGINT' | 'DATE' | 'VARCHAR';
}

const NO_VALUE = '__HIVE_DEFAULT_PARTITION__';

/** The columns in the folders of a path, each name once, the outermost first; names that the file itself has are left out. */
export function readPartitions(path: string, own: readonly string[]): readonly PartitionColumn[] {
  const taken = new Set(own.map((name) => name.toLowerCase()));
  return path
    .split('/')
    .slice(0, -1)
    .flatMap((folder): PartitionColumn[] => {
      const match = /^([\p{L}_][\p{L}\p{N}_]*)=(.*)$/u.exec(folder);
      const name = match?.[1] ?? '';
      if (!match || taken.has(name.toLowerCase())) return [];
      taken.add(name.toLowerCase());
      const value = decode(match[2] ?? '');
      return [{ name, value: value === NO_VALUE ? null : value, type: typeOf(value) }];
    });
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Digits with a zero before them are a code, not a number. */
function typeOf(value: string): PartitionColumn['type'] {
  if (/^(0|[1-9]\d{0,17})$/.test(value)) return 'BIGINT';
  const isDay =
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/.test(value) &&
    !Number.isNaN(Date.parse(value)) &&
    new Date(value).toISOString().startsWith(value);
  return isDay ? 'DATE' : 'VARCHAR';
}

/** The column in a SELECT. */
export function partitionSql({ name, value, type }: PartitionColumn): string {
  return `CAST(${value === null ? 'NULL' : quoteText(value)} AS ${type}) AS ${quoteName(name)}`;
}
