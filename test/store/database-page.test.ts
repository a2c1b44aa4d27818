import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, newFolder, openLog } from './log-folder.ts';

afterAll(cleanUp);

const page = readFileSync(fileURLToPath(new URL('../../docs/database.md', import.meta.url)), 'utf8');

/** `table.column TYPE` of each row of the page's tables, in order. */
function documented(): string[] {
  let table = '';
  return page.split('\n').flatMap((line) => {
    const heading = /^## (\w+)$/.exec(line)?.[1];
    if (heading) table = heading;
    const row = /^\| `(\w+)` \| (\w*) ?\| \S/.exec(line);
    return row ? [`${table}.${row[1]} ${row[2]}`] : [];
  });
}

describe('docs/database.md', () => {
  it('names every table and column of a new database, with its type, and no other', async () => {
    const folder = newFolder();
    await openLog({ folder });
    const database = new Database(join(folder, 'soloist.db'), { readonly: true });
    const actual = database
      .prepare<[], string>(
        // What an index keeps for itself is told by its name alone.
        "SELECT t.name || '.' || c.name || ' ' || c.type FROM pragma_table_list t JOIN pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type IN ('table', 'virtual') AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.cid",
      )
      .pluck()
      .all();
    database.close();
    expect(actual.length).toBeGreaterThan(15);
    expect(documented().sort()).toEqual(actual.sort());
  });

  it('gives the reason of every column of a migration in the migration', () => {
    const folder = new URL('../../src/store/migrations/', import.meta.url);
    const migrations = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
    const comments = migrations.map((text) => text.slice(0, text.indexOf('*/'))).join('\n');
    for (const line of documented()) expect(comments).toMatch(new RegExp(`\\* - [\\w, ]*\\b${/\.(\w+) /.exec(line)?.[1]}\\b`));
  });

  it('says how a payload is read: raw deflate, named by its hash', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    const text = 'a line of a result, 42 rows\n'.repeat(100);
    log.putBlob(text);
    log.close();
    const database = new Database(join(folder, 'soloist.db'), { readonly: true });
    const row = database.prepare<[], { hash: string; bytes: number; encoding: string; content: Buffer }>('SELECT * FROM blobs').get();
    database.close();
    if (!row) throw new Error('no payload was written');
    const bytes = inflateRawSync(row.content);
    expect([row.encoding, row.bytes, row.hash]).toEqual(['deflate', bytes.length, createHash('sha256').update(bytes).digest('hex')]);
    expect(bytes.toString('utf8')).toBe(text);
  });
});
