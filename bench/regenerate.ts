/**
 * Writes docs/benchmarks/SUITE.md anew from the suites that ship, under rules with simulated time:
 * `npx tsx bench/regenerate.ts [SUITE…]`; all of them when none is named. The same code gives the same bytes.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedSuiteNames } from '../src/app/bench-find-suite.ts';
import { runBench } from '../src/app/bench-run-suite.ts';
import { renderMarkdown } from '../src/bench/report/render-markdown.ts';
import { Scope } from '../src/core/scope.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The page of a suite, as it stands in docs/benchmarks. */
export async function regeneratePage(suite: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'soloist-regenerate-'));
  try {
    const { report } = await runBench({
      suite,
      folder: home,
      cwd: root,
      environment: { SOLOIST_HOME: home },
      model: 'rules',
      only: [],
      concurrency: 1,
      fresh: true,
      scope: new Scope(),
    });
    return `${renderMarkdown(report)}\nWritten by \`npx tsx bench/regenerate.ts ${suite}\`.\n`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const named = process.argv.slice(2);
  for (const suite of named.length > 0 ? named : shippedSuiteNames()) {
    const started = performance.now();
    writeFileSync(join(root, 'docs/benchmarks', `${suite}.md`), await regeneratePage(suite));
    process.stderr.write(`docs/benchmarks/${suite}.md in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  }
}
