import { suggestName } from '../../core/nearest.ts';
import { type FileEntry, TableNotFoundError } from '../../core/source.ts';

export interface FileTable {
  readonly name: string;
  readonly file: FileEntry;
}

/** Finds file tables by the names that people use for them. */
export interface TableNames {
  readonly tables: readonly FileTable[];
  /** By table name, path, or file name where that is unique; case is ignored. */
  find(name: string): FileTable | undefined;
  /** @throws TableNotFoundError naming the nearest table. */
  get(name: string): FileTable;
}

const DATA_FILE = /\.(csv|tsv|tab|psv|ssv|dat|txt|json|jsonl|ndjson|geojson|parquet|pq|parq)(\.(gz|zst|bz2|xz))?$/i;

/** A table's name is its path without extension; with it where two files would share the name. */
export function nameTables(files: readonly FileEntry[]): TableNames {
  const data = files.filter((file) => DATA_FILE.test(file.path));
  const short = (path: string): string => path.replace(DATA_FILE, '');
  const uses = new Map<string, number>();
  for (const { path } of data) uses.set(short(path).toLowerCase(), (uses.get(short(path).toLowerCase()) ?? 0) + 1);
  const tables = data.map((file) => ({
    name: uses.get(short(file.path).toLowerCase()) === 1 ? short(file.path) : file.path,
    file,
  }));
  const known = new Map<string, FileTable | null>();
  const offer = (key: string, table: FileTable): void => {
    const other = known.get(key);
    known.set(key, other === undefined || other?.file.path === table.file.path ? table : null);
  };
  for (const table of tables) {
    const base = table.file.path.slice(table.file.path.lastIndexOf('/') + 1);
    offer(base.toLowerCase(), table);
    offer(short(base).toLowerCase(), table);
  }
  for (const file of files) {
    if (!DATA_FILE.test(file.path)) known.set(file.path.toLowerCase(), { name: file.path, file });
  }
  for (const table of tables) {
    known.set(table.file.path.toLowerCase(), table);
    known.set(table.name.toLowerCase(), table);
  }
  const find = (name: string): FileTable | undefined => known.get(name.replace(/^\.\//, '').toLowerCase()) ?? undefined;
  return {
    tables,
    find,
    get(name) {
      const found = find(name);
      if (found) return found;
      if (known.get(name.toLowerCase()) === null) {
        const same = tables.filter(({ file }) => file.path.toLowerCase().includes(name.toLowerCase())).map((table) => table.name);
        throw new TableNotFoundError(`"${name}" is the name of several files; name one by its path: ${same.slice(0, 8).join(', ')}`);
      }
      throw new TableNotFoundError(
        `there is no table "${name}"; ${suggestName(
          name,
          tables.map((table) => table.name),
        )}`,
      );
    },
  };
}
