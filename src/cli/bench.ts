import { type Command, InvalidArgumentError } from 'commander';
import { shippedSuiteNames } from '../app/bench-find-suite.ts';
import type { Screen } from '../app/bench-progress.ts';
import { SoloistError } from '../core/errors.ts';
import { Scope } from '../core/scope.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

interface BenchFlags {
  readonly model?: string;
  readonly only: readonly string[];
  readonly concurrency: number;
  readonly fresh?: boolean;
  readonly json?: boolean;
  readonly markdown?: string;
  readonly html?: string;
  readonly save?: string;
  readonly failUnder: readonly string[];
  readonly quiet?: boolean;
  readonly limit?: number;
}

export function registerBench(program: Command, services: CliServices): void {
  const bench = program
    .command('bench')
    .description('run the same tasks through rival designs and say what each buys')
    .argument('[suite]', 'a YAML file, or the name of a suite that ships')
    .option('--model <name>', 'the model of every design: auto, rules, ollama/<name>, openai/<name>, or a name from soloist.yaml')
    .option('--only <names>', 'designs, cases or tags, or design/case, parted by commas; repeatable', names, [])
    .option('--concurrency <n>', 'runs at once; more than 1 makes measured times wait for one another', count, 1)
    .option('--fresh', 'begin anew though an unfinished run is there')
    .option('--json', 'print the report as one JSON object')
    .option('--save <file>', 'write the report as JSON')
    .option('--markdown <file>', 'write the report as Markdown')
    .option('--html <file>', 'write the report as one page with plots')
    .option('--fail-under <rule>', 'exit with 1 when a design falls short: [DESIGN.]success=0.9; repeatable', names, [])
    .option('--quiet', 'no progress on stderr')
    .addHelpText('after', () => `\nSuites that ship: ${shippedSuiteNames().join(', ')}`);
  withProjectOptions(bench).action(async (suite: string | undefined, flags: BenchFlags, self: Command) => {
    process.exitCode = await run({ suite, flags, command: self, services });
  });
  const compare = bench
    .command('compare')
    .description('say what changed between two reports that --json or --save wrote')
    .argument('<earlier>', 'the report to compare with')
    .argument('<later>', 'the report in question')
    .option('--json', 'print one JSON object');
  compare.action(async (earlier: string, later: string, _: unknown, self: Command) => {
    const { compareFiles, renderComparison } = await import('../app/bench-compare.ts');
    const comparisons = compareFiles(earlier, later, services.cwd);
    services.out(asksJson(self) ? `${JSON.stringify({ comparisons })}\n` : renderComparison(comparisons));
  });
  const history = bench
    .command('history')
    .description('list the runs of suites that the log of the project keeps, newest first')
    .argument('[suite]', 'only the runs of this suite')
    .option('--limit <n>', 'most runs to list', count, 20)
    .option('--json', 'print one JSON object');
  withProjectOptions(history).action(async (suite: string | undefined, flags: BenchFlags, self: Command) => {
    const { readHistory, renderHistory } = await import('../app/bench-history.ts');
    const past = await readHistory(projectOptions(self, services), suite, flags.limit ?? 20);
    services.out(asksJson(self) ? `${JSON.stringify(past)}\n` : renderHistory(past));
  });
}

interface Invocation {
  readonly suite: string | undefined;
  readonly flags: BenchFlags;
  readonly command: Command;
  readonly services: CliServices;
}

async function run({ suite, flags, command, services }: Invocation): Promise<number> {
  if (suite === undefined)
    throw new SoloistError('usage', 'no suite is named', { fix: `name a YAML file, or one that ships: ${shippedSuiteNames().join(', ')}` });
  const { checkFiles, readGate } = await import('../app/bench-output.ts');
  const rules = readGate(flags.failUnder);
  checkFiles(flags, services.cwd);
  const { folder, environment, sourceFlags } = projectOptions(command, services);
  if (sourceFlags.length > 0)
    throw new SoloistError('usage', '--source means nothing to a suite', { fix: 'write `source` into its cases' });
  const { runBench } = await import('../app/bench-run-suite.ts');
  const { createBenchProgress } = await import('../app/bench-progress.ts');
  const scope = new Scope();
  const release = stopOnInterrupt(scope, services);
  try {
    const { report, finished } = await runBench({
      suite,
      folder,
      cwd: services.cwd,
      environment,
      ...(flags.model === undefined ? {} : { model: flags.model }),
      only: flags.only,
      gated: rules.flatMap(({ design }) => design ?? []),
      concurrency: flags.concurrency,
      fresh: flags.fresh === true,
      scope,
      ...(flags.quiet
        ? {}
        : services.color.note
          ? createBenchProgress(draw, screenOf(process.stderr))
          : createBenchProgress(services.note, undefined)),
    });
    const { tellReport } = await import('../app/bench-output.ts');
    const shortfalls = tellReport(report, { ...flags, rules: finished ? rules : [], cwd: services.cwd, out: services.out });
    for (const shortfall of shortfalls) services.note(`falls short of ${shortfall}`);
    if (!finished) return 130;
    const [first] = report.cells;
    if (first && report.cells.every(({ failure }) => failure === 'model_failed')) {
      services.note(`no model answered in any run${first.reason === undefined ? '' : `: ${first.reason}`}`);
      return 1;
    }
    return shortfalls.length > 0 ? 1 : 0;
  } finally {
    release();
  }
}

/** One Ctrl-C drops the runs under way and keeps the finished ones, a second ends the process. */
function stopOnInterrupt(scope: Scope, { note }: CliServices): () => void {
  const onSignal = (): void => {
    if (scope.stopped) process.exit(130);
    note('stopping; run the same command again to go on');
    scope.stop({ kind: 'interrupted' });
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return () => {
    process.removeListener('SIGINT', onSignal);
    process.removeListener('SIGTERM', onSignal);
  };
}

/** What moves the cursor, which a note may not. */
function draw(text: string): void {
  process.stderr.write(`${text}\n`);
}

function screenOf({ columns = 80, rows = 24 }: { readonly columns?: number; readonly rows?: number }): Screen {
  return { columns, rows };
}

/** An option that the verb above knows too is taken by that one. */
function asksJson(command: Command): boolean {
  return (command.optsWithGlobals() as { json?: boolean }).json === true;
}

function names(value: string, before: readonly string[]): readonly string[] {
  return [...before, ...value.split(',').map((name) => name.trim())].filter((name) => name !== '');
}

function count(value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= 10_000) return number;
  throw new InvalidArgumentError('write a whole number from 1');
}
