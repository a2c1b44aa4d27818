import type Database from 'better-sqlite3';
import { SoloistError } from '../core/errors.ts';
import { CREATE_LOG } from './migrations/001-log.ts';

/** In order; the database's `user_version` is how many it has had. Never edit one that has shipped: add another. */
const MIGRATIONS: readonly string[] = [CREATE_LOG];

/** @throws SoloistError when the database was written by a newer version. */
export function migrate(database: Database.Database, file: string): void {
  const version = (): number => database.pragma('user_version', { simple: true }) as number;
  if (version() > MIGRATIONS.length) {
    throw new SoloistError(
      'store_unusable',
      `the log database has schema ${version()}, this version of soloist knows ${MIGRATIONS.length}`,
      { where: file, fix: 'use the newer soloist, or another SOLOIST_HOME' },
    );
  }
  if (version() === MIGRATIONS.length) return;
  const upgrade = database.transaction(() => {
    for (const [index, statements] of MIGRATIONS.entries())
      if (index >= version()) database.exec(`${statements}\nPRAGMA user_version = ${index + 1};`);
  });
  upgrade.immediate();
}
