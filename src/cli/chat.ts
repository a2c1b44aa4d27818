import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { type Chat, createChat } from '../app/chat.ts';
import { createModelPool } from '../app/model-pool.ts';
import { renderReport } from '../app/render-report.ts';
import { openWorkspace } from '../app/workspace.ts';
import { SoloistError } from '../core/errors.ts';
import { Scope } from '../core/scope.ts';
import { askAtTerminal } from './ask-at-terminal.ts';
import { createProgress } from './progress.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';
import { stopOnInterrupt } from './stop-on-interrupt.ts';

interface ChatFlags {
  readonly model?: string;
  readonly session?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const HELP = '/new begins a new session, /exit (or Ctrl-D) ends; Ctrl-C lets the agent conclude';

export function registerChat(program: Command, services: CliServices): void {
  const command = program
    .command('chat')
    .description('ask an agent question after question; a model keeps what it has read')
    .argument('[agent]', 'the agent', 'investigator')
    .option('--model <name>', 'auto, rules, ollama/<name>, or a name from soloist.yaml')
    .option('--session <session>', 'go on in this session: its id, the beginning of it, or -1')
    .option('--json', 'print one JSON object an answer')
    .option('--quiet', 'no progress on stderr');
  withProjectOptions(command).action(async (agent: string, flags: ChatFlags, self: Command) => {
    process.exitCode = await chat(agent, flags, { command: self, services });
  });
}

async function chat(name: string, flags: ChatFlags, { command, services }: { command: Command; services: CliServices }): Promise<number> {
  const workspace = await openWorkspace(projectOptions(command, services));
  const models = createModelPool(workspace, flags.model);
  try {
    const agent = workspace.agent(name);
    const { model, remark } = await models.choose(agent);
    const session = flags.session === undefined ? undefined : (await workspace.openLog()).findSession(flags.session);
    if (session && session.agent !== name) {
      throw new SoloistError('usage', `session ${session.session} is of agent "${session.agent}"`, {
        fix: `soloist chat ${session.agent}`,
      });
    }
    if (remark && !flags.quiet) services.note(remark);
    if (model.kind === 'rules' && !flags.quiet) services.note('fixed rules know one question a run: each is a session of its own');
    const progress = flags.quiet ? undefined : createProgress(services.note, services.color.note);
    const conversation = createChat({
      ...{ workspace, agent, model },
      modelFor: async (child) => (await models.choose(child)).model,
      ...(flags.model === undefined ? {} : { modelAsked: flags.model }),
      ...(remark ? { modelChoice: remark } : {}),
      ...(progress ? { onEvent: progress.onEvent, onDelta: progress.onDelta } : {}),
      ...(isTerminal() ? { approve: askAtTerminal } : {}),
      ...(session ? { session: session.session } : {}),
    });
    return await converse(conversation, flags, services);
  } finally {
    await models.close();
    await workspace.close();
  }
}

/** Until the input ends; the exit code is that of the last answer. */
async function converse(conversation: Chat, flags: ChatFlags, services: CliServices): Promise<number> {
  let code = 0;
  if (isTerminal() && !flags.quiet) services.note(HELP);
  for await (const line of isTerminal() ? typedLines() : pipedLines()) {
    const question = line.trim();
    if (question === '') continue;
    if (question === '/exit') break;
    if (question === '/new') conversation.startAnew();
    else if (question.startsWith('/')) services.note(HELP);
    else code = await answer(question, conversation, { flags, services });
  }
  return code;
}

async function answer(
  question: string,
  conversation: Chat,
  { flags, services }: { flags: ChatFlags; services: CliServices },
): Promise<number> {
  const scope = new Scope();
  const work = new Scope(scope);
  const release = stopOnInterrupt(scope, work);
  try {
    const report = await conversation.ask(question, { scope, work });
    services.out(flags.json ? `${JSON.stringify(report)}\n` : renderReport(report));
    if (work.reason?.kind === 'interrupted') return 130;
    return report.status === 'ok' ? 0 : 1;
  } finally {
    release();
  }
}

function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** A line at a time, the terminal free in between, so that an approval can be asked for there. */
async function* typedLines(): AsyncGenerator<string> {
  for (;;) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const line = await new Promise<string | undefined>((resolve) => {
      terminal.once('close', () => resolve(undefined));
      terminal.question('> ').then(resolve, () => resolve(undefined));
    });
    terminal.close();
    if (line === undefined) return;
    yield line;
  }
}

async function* pipedLines(): AsyncGenerator<string> {
  yield* createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
}
