import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Trial } from './render-table.ts';

/** What a tool said of a table: its rows, and the sums of columns of whole and decimal numbers. */
export interface Claim {
  readonly kind: 'file' | 'sqlite';
  readonly table: string;
  /** How the file was read; another reader is told the dialect, not the result. */
  readonly sniff: Readonly<Record<string, unknown>> | null;
  readonly rows: string | null;
  readonly sums: Readonly<Record<string, string | null>>;
  readonly path?: string;
  readonly shown?: string;
}

interface Verdict {
  readonly shown: string;
  readonly table: string;
  readonly verdict: 'ok' | 'wrong' | 'not_checked';
  readonly detail: string;
}

const SCRIPT = fileURLToPath(new URL('./independent-reader.py', import.meta.url));

/** Puts all claims to Python's own csv, json, decimal and sqlite3 readers. */
export function checkIndependently(claims: readonly Claim[]): { readonly trials: readonly Trial[]; readonly note: string } {
  const asked = claims.map((claim) => JSON.stringify(claim)).join('\n');
  const python = spawnSync('python3', [SCRIPT], { input: asked, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (python.error) return { trials: [], note: 'No figure was checked by another reader: python3 is not here.' };
  if (python.status !== 0)
    return { trials: [], note: `No figure was checked by another reader: ${python.stderr.trim().split('\n').at(-1)}` };
  const verdicts = python.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Verdict);
  const trials = verdicts.flatMap(({ shown, table, verdict, detail }): Trial[] =>
    verdict === 'not_checked'
      ? []
      : [{ file: `${shown} ${table}`, kind: 'table', tool: 'independent reader', outcome: verdict, detail, seconds: 0 }],
  );
  const skipped = new Map<string, number>();
  for (const { verdict, detail } of verdicts) if (verdict === 'not_checked') skipped.set(detail, (skipped.get(detail) ?? 0) + 1);
  const why = [...skipped].map(([detail, count]) => `${count} ${detail}`).join(', ');
  return {
    trials,
    note: `${trials.length} of ${claims.length} tables were read by Python too (rows and exact sums); not those: ${why || 'none'}.`,
  };
}
