import { Command, CommanderError } from 'commander';
import { VERSION } from '../app/version.ts';
import { SoloistError } from '../core/errors.ts';
import type { CliServices } from './services.ts';
import { terminalText } from './terminal-text.ts';

/** Where each verb is; only that of the verb asked for is loaded, all of them for the help. */
const VERBS: Readonly<Record<string, () => Promise<(program: Command, services: CliServices) => void>>> = {
  run: async () => (await import('./run.ts')).registerRun,
  chat: async () => (await import('./chat.ts')).registerChat,
  agents: async () => (await import('./agents.ts')).registerAgents,
  tools: async () => (await import('./tools.ts')).registerTools,
  doctor: async () => (await import('./doctor.ts')).registerDoctor,
  init: async () => (await import('./init.ts')).registerInit,
  audit: async () => (await import('./audit.ts')).registerAudit,
  trace: async () => (await import('./trace.ts')).registerTrace,
  memory: async () => (await import('./memory.ts')).registerMemory,
  bench: async () => (await import('./bench.ts')).registerBench,
  view: async () => (await import('./view.ts')).registerView,
};

/** Parses the arguments, runs the verb and answers the exit code: 0 done, 1 not finished, 2 usage or configuration, 130 interrupted. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  const services: CliServices = {
    out: (text) => process.stdout.write(terminalText(text)),
    note: (text) => process.stderr.write(`${terminalText(text)}\n`),
    color: { out: takesColor(process.stdout), note: takesColor(process.stderr) },
    cwd: process.cwd(),
    environment: process.env,
  };
  const program = await createProgram(argv, services);
  process.exitCode = 0;
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (error.code === 'commander.help')
      throw new SoloistError('usage', 'the command is not complete', { fix: 'choose one of the commands' });
    throw new SoloistError('usage', error.message.replace(/^error: /, ''), { fix: 'run with --help for the verbs and options' });
  }
  return Number(process.exitCode ?? 0);
}

async function createProgram(argv: readonly string[], services: CliServices): Promise<Command> {
  const program = new Command('soloist')
    .description('Investigate data pipelines with one agent, typed tools, and subagents that must defend themselves.')
    .version(VERSION, '-V, --version')
    .option('--project <dir>', 'the project folder (default: the current folder)')
    .option('--source <spec>', 'a source as [NAME=]KIND:PATH; repeatable', collect, [])
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text), outputError: () => undefined });
  const [first = ''] = argv;
  for (const [verb, load] of Object.entries(VERBS)) if (verb === first || !Object.hasOwn(VERBS, first)) (await load())(program, services);
  for (const command of withDescendants(program)) command.exitOverride();
  return program;
}

function takesColor(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

function withDescendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...withDescendants(child)]);
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
