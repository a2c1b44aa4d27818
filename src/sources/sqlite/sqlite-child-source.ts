/**
 * The program of the process that reads SQLite, as text: it must run the same from sources, from a build and from a bundle.
 * SQLite cannot be interrupted from within, so a query that takes too long is ended with its process. Its own thread ends it when
 * the parent is gone.
 */
export const SQLITE_CHILD_SOURCE = `
'use strict';
const [modulePath, databasePath] = process.argv.slice(1);
const { Worker } = require('node:worker_threads');
new Worker(
  'const first = process.ppid; setInterval(() => { if (process.ppid !== first) process.kill(process.pid, "SIGKILL"); }, 1000)',
  { eval: true },
).unref();
const Database = require(modulePath);
let database;

function open() {
  database = new Database(databasePath, { readonly: true, fileMustExist: true, timeout: 2000 });
  database.defaultSafeIntegers(true);
  database.pragma('query_only = 1');
  database.pragma('trusted_schema = 0');
  database.pragma('hard_heap_limit = 536870912');
  database.pragma('cache_size = -65536');
  database.prepare('SELECT COUNT(*) FROM sqlite_schema').get();
}

function cell(value) {
  if (typeof value === 'bigint')
    return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value.toString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value.subarray(0, 16)).toString('hex');
    return '0x' + hex + (value.length > 16 ? '\\u2026' : '') + ' (' + value.length + ' bytes)';
  }
  return value;
}

function kindOf(value) {
  if (value === null) return undefined;
  if (typeof value === 'bigint') return 'INTEGER';
  if (typeof value === 'number') return 'REAL';
  return typeof value === 'string' ? 'TEXT' : 'BLOB';
}

function run({ sql, parameters, maxRows, maxBytes }) {
  const statement = database.prepare(sql);
  if (!statement.reader || !statement.readonly) return { refused: 'only a SELECT can be run here: nothing is changed through this tool' };
  const columns = statement.columns().map((column) => ({ name: column.name, type: column.type || undefined }));
  const rows = [];
  let bytes = 0;
  for (const values of statement.raw().iterate(...parameters)) {
    columns.forEach((column, index) => { column.type = column.type || kindOf(values[index]); });
    const row = values.map(cell);
    rows.push(row);
    for (const value of row) bytes += typeof value === 'string' ? value.length : 8;
    if (rows.length > maxRows || bytes > maxBytes) break;
  }
  for (const column of columns) column.type = column.type || 'ANY';
  return { columns, rows };
}

process.on('message', (request) => {
  let answer;
  try {
    if (!database) open();
    answer = run(request);
  } catch (error) {
    answer = { error: String(error && error.message), code: String((error && error.code) || (error && error.name)) };
  }
  process.send({ id: request.id, ...answer });
});
process.on('disconnect', () => process.exit(0));
`;
