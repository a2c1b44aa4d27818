import { suggestName } from '../../core/nearest.ts';
import { TableNotFoundError } from '../../core/source.ts';

/**
 * The table that is meant: by its exact name, else by the only one that differs in case alone.
 *
 * @throws TableNotFoundError naming the nearest tables.
 */
export function findTable<Table extends { readonly name: string }>(name: string, tables: readonly Table[]): Table {
  const exact = tables.find((table) => table.name === name);
  if (exact) return exact;
  const wanted = name.toLowerCase().replaceAll('"', '');
  const alike = tables.filter((table) => table.name.toLowerCase() === wanted);
  const [only] = alike;
  if (only && alike.length === 1) return only;
  const tail = tables.filter((table) => table.name.toLowerCase().split('.').at(-1) === wanted.split('.').at(-1));
  const [single] = tail;
  if (single && tail.length === 1 && (!wanted.includes('.') || wanted.startsWith('main.') || wanted.startsWith('public.'))) return single;
  throw new TableNotFoundError(
    `there is no table "${name}"; ${suggestName(
      name,
      tables.map((table) => table.name),
    )}`,
  );
}

/** A name in double quotes, as all three dialects want it. */
export function quoteIdentifier(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
