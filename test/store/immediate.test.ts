import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Places where a transaction is made but run without `.immediate`, by name and line. */
function bareTransactions(file: string, text: string): string[] {
  const found: string[] = [];
  for (const { index, 1: name } of text.matchAll(/(?:const (\w+) = )?[\w.]+\.transaction\(/g)) {
    const runs = name ? [...text.matchAll(new RegExp(`(?<![\\w.])${name}(\\.immediate)?\\(`, 'g'))] : [];
    if (runs.length === 0 || runs.some((run) => !run[1])) found.push(`${file}:${text.slice(0, index).split('\n').length}`);
  }
  return found;
}

describe('transactions', () => {
  it('are IMMEDIATE wherever they are made, since a deferred one fails under load whatever its timeout', () => {
    const files = ['src', 'tools'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
    );
    const texts = files.map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);
    expect(texts.filter(([, text]) => text.includes('.transaction(')).length).toBeGreaterThan(1);
    expect(texts.flatMap(([file, text]) => bareTransactions(file, text))).toEqual([]);
    expect(
      texts
        .filter(([, text]) => /['"`]BEGIN(?! IMMEDIATE)\b(?! READ|-)[^'"`]*['"`]/.test(text) && /better-sqlite3/.test(text))
        .map(([file]) => file),
    ).toEqual([]);
  });

  it('are found when they are bare', () => {
    expect(bareTransactions('a.ts', 'const write = db.transaction(() => 1);\nwrite();')).toEqual(['a.ts:1']);
    expect(bareTransactions('a.ts', '\ndb.transaction(() => 1)();')).toEqual(['a.ts:2']);
    expect(bareTransactions('a.ts', 'const write = db.transaction(() => 1);\nwrite.immediate();')).toEqual([]);
  });
});
