import { bounded, type DoctorCheck } from './doctor.ts';

const OLDEST_NODE = [20, 19] as const;

export async function* checkDependencies(): AsyncIterable<DoctorCheck> {
  yield checkNode(process.versions.node);
  yield await bounded('SQLite', checkSqlite);
  yield await bounded('sqlite-vec', checkVectors);
  yield await bounded('DuckDB', checkDuckDb);
}

export function checkNode(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const fits = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  if (fits) return { name: 'Node', status: 'ok', found: version };
  return { name: 'Node', status: 'failed', found: version, fix: `install Node ${OLDEST_NODE.join('.')} or newer` };
}

const REBUILD =
  'run `npm rebuild better-sqlite3` in the project; installed globally: `npm install -g --allow-scripts=better-sqlite3 soloist`';

async function checkSqlite(): Promise<DoctorCheck> {
  try {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(':memory:');
    const version = database.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version ?? 'unknown';
    database.close();
    return { name: 'SQLite', status: 'ok', found: version };
  } catch (error) {
    return { name: 'SQLite', status: 'failed', found: firstLine(error), fix: REBUILD };
  }
}

async function checkVectors(): Promise<DoctorCheck> {
  try {
    const [{ default: Database }, { load }] = await Promise.all([import('better-sqlite3'), import('sqlite-vec')]);
    const database = new Database(':memory:');
    load(database);
    const version = database.prepare<[], { version: string }>('SELECT vec_version() AS version').get()?.version ?? 'unknown';
    database.close();
    return { name: 'sqlite-vec', status: 'ok', found: version };
  } catch (error) {
    return {
      name: 'sqlite-vec',
      status: 'warning',
      found: firstLine(error),
      fix: 'run `npm ci`; without it nothing but vector search is lost',
    };
  }
}

async function checkDuckDb(): Promise<DoctorCheck> {
  try {
    const { version } = await import('@duckdb/node-api');
    return { name: 'DuckDB', status: 'ok', found: version() };
  } catch (error) {
    return { name: 'DuckDB', status: 'failed', found: firstLine(error), fix: 'run `npm ci`; files and .duckdb sources need it' };
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
