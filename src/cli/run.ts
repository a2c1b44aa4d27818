import type { Command } from 'commander';
import { answerQuestion } from '../app/answer-question.ts';
import { renderReport } from '../app/render-report.ts';
import { openWorkspace } from '../app/workspace.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import { Scope } from '../core/scope.ts';
import { askAtTerminal } from './ask-at-terminal.ts';
import { createProgress } from './progress.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';
import { stopOnInterrupt } from './stop-on-interrupt.ts';

interface RunFlags {
  readonly model?: string;
  readonly resume?: string;
  readonly json?: boolean;
  readonly events?: boolean;
  readonly quiet?: boolean;
}

export function registerRun(program: Command, services: CliServices): void {
  const command = program
    .command('run')
    .description('run an agent on a question and print its answer as Markdown')
    .argument('[agent]', 'the agent, e.g. investigator')
    .argument('[question...]', 'the question or task')
    .option('--model <name>', 'auto, rules, ollama/<name>, openai/<name>, or a name from soloist.yaml')
    .option('--resume <session>', 'go on with a session that was killed or stopped at a limit: its id, the beginning of it, or -1')
    .option('--json', 'print one JSON object')
    .option('--events', 'print every event as a JSON line while it runs')
    .option('--quiet', 'no progress on stderr');
  withProjectOptions(command).action(async (agent: string | undefined, question: string[], flags: RunFlags, self: Command) => {
    process.exitCode = await run({ agent, question: question.join(' '), flags, command: self, services });
  });
}

interface Invocation {
  readonly agent: string | undefined;
  readonly question: string;
  readonly flags: RunFlags;
  readonly command: Command;
  readonly services: CliServices;
}

async function run({ agent, question, flags, command, services }: Invocation): Promise<number> {
  checkArguments(agent, question, flags.resume);
  const workspace = await openWorkspace(projectOptions(command, services));
  const scope = new Scope();
  const work = new Scope(scope);
  const release = stopOnInterrupt(scope, work);
  try {
    const progress = flags.quiet ? undefined : createProgress(services.note, services.color.note);
    const onEvent = (event: Event): void => {
      progress?.onEvent(event);
      if (flags.events) services.out(`${JSON.stringify(event)}\n`);
    };
    const wanted = flags.resume === undefined ? { agent: agent ?? '', question } : { resume: flags.resume };
    const report = await answerQuestion(workspace, wanted, {
      model: flags.model,
      scope,
      work,
      onEvent,
      onDelta: progress?.onDelta,
      onModel: flags.quiet ? undefined : services.note,
      approve: process.stdin.isTTY && process.stderr.isTTY ? askAtTerminal : undefined,
    });
    if (flags.json) services.out(`${JSON.stringify(report)}\n`);
    else if (!flags.events) services.out(renderReport(report));
    if (work.reason?.kind === 'interrupted') return 130;
    return report.status === 'ok' ? 0 : 1;
  } finally {
    release();
    await workspace.close();
  }
}

function checkArguments(agent: string | undefined, question: string, resume: string | undefined): void {
  const example = 'soloist run investigator "why did last night\'s run take so long?"';
  if (resume !== undefined && agent !== undefined) {
    throw new SoloistError('usage', '--resume takes its agent and question from the session', { fix: `soloist run --resume ${resume}` });
  }
  if (resume !== undefined) return;
  if (agent === undefined) throw new SoloistError('usage', "missing required argument 'agent'", { fix: `${example}, or --resume SESSION` });
  if (!question.trim()) throw new SoloistError('usage', 'the question is empty', { fix: example });
}
