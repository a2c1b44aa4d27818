#!/usr/bin/env node
import type { SoloistError } from '../core/errors.ts';

/** The command line's only place that prints an error or exits. `--version` answers before anything heavy is loaded. */
const INTERRUPTED = 130;
const ENDING_MS = 1_000;
/** What was asked for cannot be: a wrong argument, a wrong file, a name of something that there is not. */
const USERS_MISTAKES: ReadonlySet<string> = new Set(['usage', 'configuration', 'not_found']);
const [, , first] = process.argv;
if ((first === '--version' || first === '-V') && process.argv.length === 3) {
  const { VERSION } = await import('../app/version.ts');
  process.stdout.write(`${VERSION}\n`);
} else {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    unwritable(error);
  });
  process.stderr.on('error', () => undefined);
  try {
    const { runCommand } = await import('./program.ts');
    process.exitCode = await runCommand(process.argv.slice(2));
    // A tool that heeds no stop would keep the process of an interrupted run alive.
    if (process.exitCode === INTERRUPTED) process.exit();
  } catch (error) {
    process.exitCode = report(error);
  }
  // A query that heeds no interruption would keep the process alive with all said; one that ends soon need not be cut off.
  endSoon();
}

/** Not before a slow reader at the other end of a pipe has all of it. */
function endSoon(): void {
  setTimeout(() => (process.stdout.writableLength > 0 ? endSoon() : process.exit()), ENDING_MS).unref();
}

/** Exits at once: what was to be printed is lost, and every further write would fail in the same way. */
function unwritable(error: NodeJS.ErrnoException): never {
  process.stderr.write(`soloist: the output cannot be written (${error.code ?? error.message}); free space, or write it elsewhere\n`);
  process.exit(1);
}

/** `tools call` answers in JSON always, the other verbs when asked to. */
function wantsJson([verb, ...rest]: readonly string[]): boolean {
  return rest.includes('--json') || verb === '--json' || (verb === 'tools' && rest[0] === 'call');
}

function report(error: unknown): number {
  const asJson = wantsJson(process.argv.slice(2));
  if (!(error instanceof Error) || error.name !== 'SoloistError') {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`soloist: an unexpected error, a fault of ours:\n${text}\n`);
    if (asJson) process.stdout.write(`${JSON.stringify({ error: { code: 'internal', message: text.split('\n', 1)[0] } })}\n`);
    return 1;
  }
  const known = error as SoloistError;
  const problems = known.problems.map((problem) => `  ${problem.where}: ${problem.fact}${problem.fix ? `; ${problem.fix}` : ''}`);
  const head = `${known.where ? `${known.where}: ` : ''}${known.message}${known.fix ? `; ${known.fix}` : ''}`;
  process.stderr.write(`soloist: ${[head, ...problems].join('\n')}\n`);
  if (asJson)
    process.stdout.write(
      `${JSON.stringify({ error: { code: known.code, message: known.message, where: known.where, fix: known.fix, problems: known.problems } })}\n`,
    );
  return USERS_MISTAKES.has(known.code) ? 2 : 1;
}
