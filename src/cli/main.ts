#!/usr/bin/env node
import type { SoloistError } from '../core/errors.ts';
import { terminalText } from './terminal-text.ts';

const INTERRUPTED = 130;
const ENDING_MS = 1_000;
/** What was asked for cannot be: a wrong argument, a wrong file, a name of something that there is not. */
const USERS_MISTAKES: ReadonlySet<string> = new Set(['usage', 'configuration', 'not_found']);

/** The command line's only place that prints an error or exits. `--version` answers before anything heavy is loaded. */
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
  // What a tool of the project leaves running may throw when nothing waits for it any more.
  process.on('uncaughtException', (error) => process.exit(report(error)));
  try {
    const { runCommand } = await import('./program.ts');
    process.exitCode = await runCommand(process.argv.slice(2));
  } catch (error) {
    process.exitCode = report(error);
  }
  // A tool or a query that heeds no interruption would keep the process alive with all said; one that ends soon need not be cut off.
  endWithin(process.exitCode === INTERRUPTED ? 0 : ENDING_MS);
}

/** Not before a slow reader at the other end of a pipe has all of it. */
function endWithin(milliseconds: number): void {
  setTimeout(() => (process.stdout.writableLength > 0 ? endWithin(ENDING_MS) : process.exit()), milliseconds).unref();
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
    process.stderr.write(
      terminalText(`soloist: an unexpected error, a fault of ours unless the lines below name a tool of the project:\n${text}\n`),
    );
    if (asJson) process.stdout.write(terminalText(`${JSON.stringify({ error: { code: 'internal', message: text.split('\n', 1)[0] } })}\n`));
    return 1;
  }
  const known = error as SoloistError;
  const problems = known.problems.map((problem) => `  ${problem.where}: ${problem.fact}${problem.fix ? `; ${problem.fix}` : ''}`);
  const head = `${known.where ? `${known.where}: ` : ''}${known.message}${known.fix ? `; ${known.fix}` : ''}`;
  process.stderr.write(terminalText(`soloist: ${[head, ...problems].join('\n')}\n`));
  const { code, message, where, fix } = known;
  if (asJson) process.stdout.write(terminalText(`${JSON.stringify({ error: { code, message, where, fix, problems: known.problems } })}\n`));
  return USERS_MISTAKES.has(known.code) ? 2 : 1;
}
