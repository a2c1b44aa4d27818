#!/usr/bin/env node
import type { SoloistError } from '../core/errors.ts';

/** The command line's only place that prints an error or exits. `--version` answers before anything heavy is loaded. */
const [, , first] = process.argv;
if ((first === '--version' || first === '-V') && process.argv.length === 3) {
  const { VERSION } = await import('../app/version.ts');
  process.stdout.write(`${VERSION}\n`);
} else {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  try {
    const { runCommand } = await import('./program.ts');
    process.exitCode = await runCommand(process.argv.slice(2));
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  const asJson = process.argv.includes('--json');
  if (!(error instanceof Error) || error.name !== 'SoloistError') {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`soloist: an unexpected error, a fault of ours:\n${text}\n`);
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
  return known.code === 'usage' || known.code === 'configuration' ? 2 : 1;
}
