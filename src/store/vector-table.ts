import type Database from 'better-sqlite3';
import type { NearestQuery, NumberedNote } from '../core/memory-index.ts';

/** The default of 1024 rows a chunk reserves 3 MB for every tenant. */
const CHUNK_ROWS = 64;
/** Many tenants of a few notes leave most of such a chunk empty: where half of it saves so many rows of room, half of it is taken. */
const SMALL_CHUNK_ROWS = 32;
const WORTH_ROWS = 1000;
/** A row of bits takes little room, and a search pays for each chunk: the larger one, but where many small tenants would leave it empty. */
const BIT_CHUNK_ROWS = { large: 1024, small: 256 } as const;
/** vec0 answers at most this many. */
const MOST_NEIGHBOURS = 4096;

export interface VectorRow {
  readonly number: number;
  readonly tenant: string;
  readonly status: string;
  readonly kind: string;
  readonly vector: Float32Array;
}

/** The vectors of one generation: a vec0 table, and one of bits once it is wanted. */
export interface VectorTable {
  put(row: VectorRow): void;
  follow(note: NumberedNote): void;
  remove(number: number): void;
  /** Gives a vector to another note. */
  move(from: number, to: VectorRow): void;
  vector(number: number): Float32Array | undefined;
  nearest(tenant: string, query: NearestQuery): readonly { readonly number: number; readonly distance: number }[];
  readonly hasBits: boolean;
  /** Fills the bits from the vectors, `limit` at a time; true when none is missing. */
  fillBits(limit: number): boolean;
  chunks(): number;
  /** How many rows a chunk has room for. */
  readonly chunkRows: number;
  drop(): void;
}

export interface TableOptions {
  readonly generation: number;
  readonly dimensions: number;
}

export function createVectorTable(database: Database.Database, { generation, dimensions }: TableOptions): VectorTable {
  const name = `vectors_${generation}`;
  createTable(database, name, `embedding float[${dimensions}] distance_metric=cosine`, () => chooseChunkRows(liveByTenant(database)));
  const insert = database.prepare(`INSERT INTO ${name} (rowid, tenant, status, kind, embedding) VALUES (?, ?, ?, ?, ?)`);
  const update = database.prepare(`UPDATE ${name} SET status = ?, kind = ? WHERE rowid = ?`);
  const remove = database.prepare(`DELETE FROM ${name} WHERE rowid = ?`);
  const select = database.prepare<[bigint], Buffer>(`SELECT embedding FROM ${name} WHERE rowid = ?`).pluck();
  const rescore = database.prepare<[Buffer, string], { number: number; distance: number }>(
    `SELECT v.rowid AS number, vec_distance_cosine(v.embedding, ?) AS distance FROM json_each(?) j CROSS JOIN ${name} v ON v.rowid = j.value ORDER BY distance`,
  );
  const bits = createBitTable(database, { generation, dimensions });
  const read = (number: number): Float32Array | undefined => {
    const bytes = select.get(BigInt(number));
    return bytes && new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  };
  const put = ({ number, tenant, status, kind, vector }: VectorRow): void => {
    insert.run(BigInt(number), tenant, status, kind, bytesOf(vector));
    bits.put(number, { tenant, status, kind, vector });
  };
  return {
    put,
    follow: ({ number, status, kind }) => {
      update.run(status, kind, BigInt(number));
      bits.follow(number, status, kind);
    },
    remove: (number) => {
      remove.run(BigInt(number));
      bits.remove(number);
    },
    move: (from, to) => {
      put(to);
      remove.run(BigInt(from));
      bits.remove(from);
    },
    vector: read,
    nearest: (tenant, query) => {
      const { vector, limit, bitFactor = 0 } = query;
      if (bitFactor <= 0 || !bits.exists()) return knn(database, `${name} WHERE embedding MATCH ?`, tenant, query);
      const wide = { ...query, limit: Math.min(MOST_NEIGHBOURS, limit * bitFactor) };
      const found = knn(database, `vector_bits_${generation} WHERE bits MATCH vec_quantize_binary(?)`, tenant, wide);
      return rescore.all(bytesOf(vector), JSON.stringify(found.map(({ number }) => number))).slice(0, limit);
    },
    get hasBits() {
      return bits.exists();
    },
    fillBits: (limit) => bits.fill(limit, read),
    chunks: () => database.prepare<[], number>(`SELECT count(*) FROM ${name}_chunks`).pluck().get() ?? 0,
    chunkRows: chunkRowsOf(database, name),
    drop: () => {
      database.exec(`DROP TABLE IF EXISTS ${name}; DROP TABLE IF EXISTS vector_bits_${generation}`);
    },
  };
}

/** How many rows a chunk shall have, for tenants of so many vectors each. */
export function chooseChunkRows(byTenant: readonly number[]): number {
  const saved = roomFor(byTenant, CHUNK_ROWS) - roomFor(byTenant, SMALL_CHUNK_ROWS);
  return saved >= WORTH_ROWS && saved >= roomFor(byTenant, CHUNK_ROWS) / 4 ? SMALL_CHUNK_ROWS : CHUNK_ROWS;
}

function chooseBitChunkRows(byTenant: readonly number[]): number {
  const { large, small } = BIT_CHUNK_ROWS;
  return roomFor(byTenant, large) <= 2 * roomFor(byTenant, small) ? large : small;
}

/** Rows that whole chunks have room for: a chunk is of one tenant. */
export function roomFor(byTenant: readonly number[], chunkRows: number): number {
  return byTenant.reduce((sum, rows) => sum + Math.ceil(rows / chunkRows) * chunkRows, 0);
}

function liveByTenant(database: Database.Database): readonly number[] {
  return database.prepare<[], number>("SELECT count(*) FROM notes WHERE status IN ('current', 'flagged') GROUP BY tenant").pluck().all();
}

function createTable(database: Database.Database, name: string, column: string, chunkRows: () => number): void {
  // Looked up first: the statement takes the write lock even where the table is there.
  if (database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name)) return;
  database.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${name} USING vec0 (tenant TEXT PARTITION KEY, status TEXT, kind TEXT, ${column}, chunk_size=${chunkRows()})`,
  );
}

function chunkRowsOf(database: Database.Database, name: string): number {
  const statement = database.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name);
  return Number(/chunk_size=(\d+)/.exec(statement ?? '')?.[1] ?? CHUNK_ROWS);
}

interface BitTable {
  exists(): boolean;
  put(number: number, row: Omit<VectorRow, 'number'>): void;
  follow(number: number, status: string, kind: string): void;
  remove(number: number): void;
  fill(limit: number, read: (number: number) => Float32Array | undefined): boolean;
}

/** One bit a dimension: its sign. Made only where a partition has grown large, since it costs every other one room. */
function createBitTable(database: Database.Database, { generation, dimensions }: TableOptions): BitTable {
  const name = `vector_bits_${generation}`;
  const there = database.prepare<[string], number>('SELECT 1 FROM sqlite_schema WHERE name = ?').pluck();
  const exists = (): boolean => there.get(name) !== undefined;
  const insert = `INSERT INTO ${name} (rowid, tenant, status, kind, bits) VALUES (?, ?, ?, ?, vec_quantize_binary(?))`;
  const whenThere = (statement: string, ...values: unknown[]): void => {
    if (exists()) database.prepare(statement).run(...values);
  };
  return {
    exists,
    put: (number, { tenant, status, kind, vector }) => whenThere(insert, BigInt(number), tenant, status, kind, bytesOf(vector)),
    follow: (number, status, kind) => whenThere(`UPDATE ${name} SET status = ?, kind = ? WHERE rowid = ?`, status, kind, BigInt(number)),
    remove: (number) => whenThere(`DELETE FROM ${name} WHERE rowid = ?`, BigInt(number)),
    fill: (limit, read) => {
      if (dimensions % 8 !== 0) return false;
      createTable(database, name, `bits bit[${dimensions}]`, () => chooseBitChunkRows(liveByTenant(database)));
      const missing = database
        .prepare<[number], { number: number; tenant: string; status: string; kind: string }>(
          `SELECT n.number, n.tenant, n.status, n.kind FROM notes n JOIN embedded_notes e ON e.number = n.number AND e.generation = ${generation} ` +
            `WHERE n.number NOT IN (SELECT rowid FROM ${name}_rowids) ORDER BY n.number LIMIT ?`,
        )
        .all(limit);
      const put = database.prepare(insert);
      for (const { number, tenant, status, kind } of missing) {
        const vector = read(number);
        if (vector) put.run(BigInt(number), tenant, status, kind, bytesOf(vector));
      }
      return missing.length < limit;
    },
  };
}

type Knn = Database.Statement<unknown[], { number: number; distance: number }>;
const statements = new WeakMap<Database.Database, Map<string, Knn>>();

/** Each shape of a question is compiled once. */
function prepared(database: Database.Database, statement: string): Knn {
  const known = statements.get(database) ?? new Map<string, Knn>();
  statements.set(database, known);
  const compiled = known.get(statement) ?? database.prepare<unknown[], { number: number; distance: number }>(statement);
  known.set(statement, compiled);
  return compiled;
}

/** The nearest rows of one tenant; what is filtered is filtered by vec0 itself, before the limit. */
function knn(
  database: Database.Database,
  from: string,
  tenant: string,
  { vector, limit, statuses, kinds }: NearestQuery,
): readonly { readonly number: number; readonly distance: number }[] {
  const marks = (values: readonly string[]): string => values.map(() => '?').join(', ');
  const kindFilter = kinds ? ` AND kind IN (${marks(kinds)})` : '';
  const statement = `SELECT rowid AS number, distance FROM ${from} AND k = ? AND tenant = ? AND status IN (${marks(statuses)})${kindFilter}`;
  return prepared(database, statement).all(bytesOf(vector), Math.min(limit, MOST_NEIGHBOURS), tenant, ...statuses, ...(kinds ?? []));
}

function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
