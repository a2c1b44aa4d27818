import { resolve } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { renderReplay } from '../app/replay-report.ts';
import { blameTrace, renderBlame } from '../app/trace-blame.ts';
import { diffTraces, renderTraceDiff } from '../app/trace-diff.ts';
import { exportTrace } from '../app/trace-export.ts';
import { listTraces, renderTraceList } from '../app/trace-list.ts';
import { withTraceLog } from '../app/trace-log.ts';
import { renderTrace, renderTraceWindow, traceSession } from '../app/trace-show.ts';
import { renderExplanation, traceFigure } from '../app/trace-why.ts';
import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

const SESSION = 'id of a session, the beginning of one, or -1 for the latest';

export function registerTrace(program: Command, services: CliServices): void {
  const trace = program.command('trace').description('show what a run did, where a figure comes from, and what went wrong');
  registerList(trace, services);
  registerShow(trace, services);
  registerWhy(trace, services);
  registerReplay(trace, services);
  registerBlame(trace, services);
  registerDiff(trace, services);
  registerExport(trace, services);
}

function registerList(trace: Command, services: CliServices): void {
  const command = trace
    .command('list')
    .description('list the latest sessions with what became of them')
    .option('--limit <n>', 'how many', '20')
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (flags: { limit: string; json?: boolean }, self: Command) => {
    const limit = wholeNumber('--limit', flags.limit, 1);
    await withTraceLog(projectOptions(self, services), (log) => {
      const sessions = listTraces(log, limit);
      services.out(flags.json ? `${JSON.stringify(sessions)}\n` : renderTraceList(sessions, paintFor(services)));
    });
  });
}

interface ShowFlags {
  readonly step?: string;
  readonly agent: string;
  readonly full?: boolean;
  readonly json?: boolean;
}

function registerShow(trace: Command, services: CliServices): void {
  const command = trace
    .command('show')
    .description('show a session as a tree of agents, steps, model calls, tool calls and conclusions')
    .argument('<session>', SESSION)
    .option('--step <n>', 'what exactly stood in the window at that step, by category, with tokens')
    .option('--agent <id>', 'whose step: main, or the id of a child, e.g. c2', 'main')
    .option('--full', 'texts and results in full')
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (session: string, flags: ShowFlags, self: Command) => {
    const step = flags.step === undefined ? undefined : wholeNumber('--step', flags.step, 0);
    if (step === undefined && flags.agent !== 'main')
      throw new SoloistError('usage', '--agent says whose --step', {
        fix: `soloist trace show ${session} --agent ${flags.agent} --step 1`,
      });
    const options = { paint: paintFor(services), whole: flags.full === true };
    await withTraceLog(projectOptions(self, services), async (log) => {
      if (step === undefined) {
        const found = traceSession(log, session, flags.full);
        services.out(flags.json ? `${JSON.stringify(found)}\n` : renderTrace(found, options));
      } else {
        const { traceWindow } = await import('../app/trace-window.ts');
        const found = traceWindow(log, session, { path: flags.agent, step });
        services.out(flags.json ? `${JSON.stringify(found)}\n` : renderTraceWindow(found, options));
      }
    });
  });
}

function registerWhy(trace: Command, services: CliServices): void {
  const command = trace
    .command('why')
    .description('show where a figure of an answer comes from: the tool call, its arguments, how to run it again')
    .argument('<figure>', 'as it stands in the answer, e.g. 1,234 or 12.5%')
    .option('--session <session>', SESSION, '-1')
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (figure: string, flags: { session: string; json?: boolean }, self: Command) => {
    await withTraceLog(projectOptions(self, services), (log) => {
      const found = traceFigure(log, flags.session, figure, placeOf(self, services));
      services.out(flags.json ? `${JSON.stringify(found)}\n` : renderExplanation(found, paintFor(services)));
      process.exitCode = found.status === 'not_found' || found.status === 'unsupported' ? 1 : 0;
    });
  });
}

interface ReplayFlags {
  readonly tools: string;
  readonly json?: boolean;
}

function registerReplay(trace: Command, services: CliServices): void {
  const command = trace
    .command('replay')
    .description('run a session again with the replies recorded then, and say where results differ by now')
    .argument('<session>', SESSION)
    .option('--tools <which>', 'live: tools that read run again; recorded: none does, and neither model nor data is needed', 'live')
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (session: string, { tools, json }: ReplayFlags, self: Command) => {
    if (tools !== 'live' && tools !== 'recorded')
      throw new SoloistError('usage', `--tools is live or recorded, not "${tools}"`, { fix: suggestName(tools, ['live', 'recorded']) });
    const { traceReplay } = await import('../app/trace-replay.ts');
    const report = await traceReplay(projectOptions(self, services), { reference: session, tools, place: placeOf(self, services) });
    services.out(json ? `${JSON.stringify(report)}\n` : renderReplay(report, paintFor(services)));
    process.exitCode = report.same ? 0 : 1;
  });
}

function registerBlame(trace: Command, services: CliServices): void {
  const command = trace
    .command('blame')
    .description('say what may have gone wrong: repeated calls, ignored errors, unsupported figures, empty turns, full windows')
    .argument('<session>', SESSION)
    .option('--good <session>', 'a good run to compare with (default: the latest ok run of the same agent and question)')
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (session: string, flags: { good?: string; json?: boolean }, self: Command) => {
    await withTraceLog(projectOptions(self, services), (log) => {
      const report = blameTrace(log, session, flags.good);
      services.out(flags.json ? `${JSON.stringify(report)}\n` : renderBlame(report, paintFor(services)));
    });
  });
}

function registerDiff(trace: Command, services: CliServices): void {
  const command = trace
    .command('diff')
    .description('compare two sessions: the first call or result that differs, and all others')
    .argument('<left>', SESSION)
    .argument('<right>', SESSION)
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (left: string, right: string, flags: { json?: boolean }, self: Command) => {
    await withTraceLog(projectOptions(self, services), (log) => {
      const diff = diffTraces(log, left, right);
      services.out(flags.json ? `${JSON.stringify(diff)}\n` : renderTraceDiff(diff, paintFor(services)));
      process.exitCode = diff.first === undefined && diff.sameAnswer ? 0 : 1;
    });
  });
}

interface ExportFlags {
  readonly format: string;
  readonly out?: string;
  readonly content?: boolean;
}

function registerExport(trace: Command, services: CliServices): void {
  const command = trace
    .command('export')
    .description('print a session as JSON lines, or give its spans to OpenTelemetry')
    .argument('<session>', SESSION)
    .option('--format <format>', 'jsonl: one event a line; otlp: spans, to OTEL_EXPORTER_OTLP_ENDPOINT where it is set', 'jsonl')
    .option('--out <file>', 'a file in place of stdout or the endpoint')
    .option('--content', 'with otlp: arguments, results and texts too')
    .option('--json', 'the default: every format is JSON');
  withProjectOptions(command).action(async (session: string, flags: ExportFlags, self: Command) => {
    const { format } = flags;
    if (format !== 'jsonl' && format !== 'otlp')
      throw new SoloistError('usage', `--format is jsonl or otlp, not "${format}"`, { fix: suggestName(format, ['jsonl', 'otlp']) });
    const out = flags.out === undefined ? undefined : resolve(services.cwd, flags.out);
    await withTraceLog(projectOptions(self, services), async (log) => {
      const { environment, out: write } = services;
      const remark = await exportTrace(log, session, { format, out, content: flags.content === true, environment, write });
      if (remark) services.note(remark);
    });
  });
}

/** What a command for the same shell needs to meet the same project. */
function placeOf(command: Command, services: CliServices) {
  const { folder, sourceFlags } = projectOptions(command, services);
  return { project: folder === resolve(services.cwd) ? undefined : folder, sources: sourceFlags };
}

function wholeNumber(option: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new SoloistError('usage', `${option} takes a whole number from ${least}, not "${text}"`, {
    fix: `for example ${option} ${least + 4}`,
  });
}

function paintFor({ color }: CliServices) {
  const { bold, dim, green, red, yellow } = pc.createColors(color.out);
  return { bold, dim, good: green, bad: red, warn: yellow };
}
