import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Scope } from '../../../src/core/scope.ts';
import type { Cell, Source } from '../../../src/core/source.ts';
import { openFilesSource } from '../../../src/sources/files/open-files-source.ts';

export interface TestFiles {
  readonly folder: string;
  readonly source: Source;
  /** The rows of a query; throws its message when it fails. */
  rows(sql: string): Promise<readonly (readonly Cell[])[]>;
  close(): Promise<void>;
}

/** A folder with these files, opened as a source of kind `files`. A folder given by name is opened as it stands. */
export async function openTestFiles(content: Readonly<Record<string, string | Buffer>> | string): Promise<TestFiles> {
  const temporary = mkdtempSync(join(tmpdir(), 'soloist-files-'));
  const folder = typeof content === 'string' ? content : join(temporary, 'data');
  if (typeof content !== 'string') {
    for (const [name, text] of Object.entries(content)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  }
  const scratch = join(temporary, 'scratch');
  mkdirSync(scratch);
  const source = await openFilesSource({ name: 'landing', kind: 'files', paths: [folder] }, { scratch });
  return {
    folder,
    source,
    async rows(sql) {
      const scope = new Scope();
      const outcome = await source.tables!.query({ sql, maxRows: 1000, maxBytes: 1_000_000, timeoutMs: 30_000, scope });
      if (!outcome.ok) throw new Error(outcome.message);
      return outcome.rows;
    },
    async close() {
      await source.close();
      rmSync(temporary, { recursive: true, force: true });
    },
  };
}
