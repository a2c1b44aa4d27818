/**
 * The log at a million events: `npx tsx bench/trace.ts [sessions] [folder]`. Fills a log with sessions of 1,000 events each
 * and one of 2,000, then measures the reading verbs, the size of the file as it grew, the cost of appending a step
 * before and after, and the processor time of a step in a run of 200. A folder that is given is kept, and reused.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runSession } from '../src/app/run-session.ts';
import { blameTrace } from '../src/app/trace-blame.ts';
import { listTraces, renderTraceList } from '../src/app/trace-list.ts';
import { renderTrace, traceSession } from '../src/app/trace-show.ts';
import { traceFigure } from '../src/app/trace-why.ts';
import { openWorkspace } from '../src/app/workspace.ts';
import type { Event, EventBody } from '../src/core/event.ts';
import { Scope } from '../src/core/scope.ts';
import { scriptedModel } from '../src/models/scripted.ts';
import { openEventLog, type StoredEventLog } from '../src/store/open-event-log.ts';

const EVENTS = 1_000;
const LARGE = 2_000;
const REPEATS = 9;

const usage = { modelCalls: 1, toolCalls: 1, inputTokens: 1, outputTokens: 1, peakContextTokens: 1, wallMs: 1 };
const closing: readonly EventBody[] = [
  {
    type: 'agent.concluded',
    conclusion: { status: 'ok', text: 'There are 123 rows.', evidence: ['r1'], findings: [], usage, model: 'bench' },
  },
  { type: 'session.closed', status: 'ok' },
];

/** A session of about the size asked for: steps of a reply, a call and a result of 600 characters. */
function sessionEvents(session: string, events: number, at: number): Event[] {
  const bodies: { readonly step: number; readonly body: EventBody }[] = [
    {
      step: 0,
      body: {
        type: 'session.opened',
        project: 'bench',
        agent: 'boss',
        question: `Question of ${session}?`,
        model: 'bench',
        version: '1',
        sources: [],
      },
    },
    { step: 0, body: { type: 'agent.started', agent: 'boss', model: 'bench', task: { goal: 'Count.' }, tools: ['count_rows'] } },
  ];
  for (let step = 1; bodies.length + 5 <= events; step++) {
    const call = {
      id: `call_${step}`,
      name: 'count_rows',
      arguments: { table: `table_${step}`, where: `day = '2026-03-${(step % 28) + 1}'` },
    };
    const data = { rows: step * 7, sample: Array.from({ length: 12 }, (_, row) => `row ${row} of table ${step} in ${session}`) };
    const content = JSON.stringify({
      id: `r${step}`,
      tool: call.name,
      status: 'ok',
      complete: true,
      as_of: '2026-03-17T06:00:00Z',
      warnings: [],
      data,
    });
    const place = { callId: call.id, resultId: `r${step}`, tool: call.name };
    bodies.push(
      {
        step,
        body: {
          type: 'model.replied',
          message: { role: 'assistant', content: '', toolCalls: [call] },
          finish: 'stop',
          usage: { inputTokens: 900, outputTokens: 40, totalMs: 800 },
        },
      },
      { step, body: { type: 'tool.called', ...place, arguments: call.arguments } },
      { step, body: { type: 'tool.finished', ...place, status: 'ok', complete: true, content, elapsedMs: 12 } },
    );
  }
  for (const body of closing) bodies.push({ step: events, body });
  return bodies.map(({ step, body }, sequence) => ({ session, round: 1, step, agent: 'main', sequence, at: at + sequence, body }));
}

function median(samples: readonly number[]): number {
  return [...samples].sort((left, right) => left - right)[Math.floor(samples.length / 2)] ?? 0;
}

/** Wall and processor time: on a machine that does other work too, only the second says what the code costs. */
async function timed(work: () => unknown): Promise<string> {
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let round = 0; round < REPEATS; round++) {
    const started = performance.now();
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    wall.push(performance.now() - started);
    cpu.push((user + system) / 1000);
  }
  return times(wall, cpu);
}

function times(wall: readonly number[], cpu: readonly number[]): string {
  return `wall median ${median(wall).toFixed(1)} ms, best ${Math.min(...wall).toFixed(1)}; processor median ${median(cpu).toFixed(1)} ms (${REPEATS} times)`;
}

/** Makes a process say at its end how much processor time it took. */
const TELL_CPU =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu='+(user+system))})";

function timedProcess(argv: readonly string[], folder: string): string {
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let round = 0; round < REPEATS; round++) {
    const started = performance.now();
    const { stderr, status } = spawnSync(process.execPath, ['--import', TELL_CPU, ...argv], {
      env: { ...process.env, SOLOIST_HOME: folder },
      maxBuffer: 1e9,
    });
    wall.push(performance.now() - started);
    const told = /cpu=(\d+)/.exec(stderr.toString());
    if (status !== 0 || !told) throw new Error(`soloist ${argv.slice(1).join(' ')} ended with ${status}: ${stderr.toString()}`);
    cpu.push(Number(told[1]) / 1000);
  }
  return times(wall, cpu);
}

/** Microseconds to append one step (two commits of two events each), the median of 300. */
function appendCost(log: StoredEventLog, session: string): number {
  const events = sessionEvents(session, 3 * 300 + 4, Date.now());
  const samples: number[] = [];
  for (let at = 2; at + 3 < events.length; at += 3) {
    const started = performance.now();
    log.append(events.slice(at, at + 2));
    log.append(events.slice(at + 2, at + 3));
    samples.push((performance.now() - started) * 1000);
  }
  return median(samples);
}

async function fill(folder: string, sessions: number): Promise<void> {
  const log = await openEventLog({ folder, tenant: 'local' });
  const bytes = (): number =>
    ['', '-wal'].reduce((sum, end) => sum + (statSync(join(folder, `soloist.db${end}`), { throwIfNoEntry: false })?.size ?? 0), 0);
  const before = appendCost(log, 's-cost-before');
  const first = Date.now() - sessions * EVENTS;
  const started = performance.now();
  for (let index = 0; index < sessions; index++) {
    log.append(sessionEvents(`s-bench-${String(index).padStart(6, '0')}`, EVENTS, first + index * EVENTS));
    if ((index + 1) % Math.ceil(sessions / 4) === 0)
      console.log(
        `  ${index + 1} sessions: ${(bytes() / 1e6).toFixed(0)} MB, ${(bytes() / ((index + 1) * EVENTS)).toFixed(0)} bytes an event`,
      );
  }
  log.append(sessionEvents('s-large', LARGE, Date.now()));
  console.log(`  filled in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const after = appendCost(log, 's-cost-after');
  console.log(`append a step: ${before.toFixed(0)} µs on an empty log, ${after.toFixed(0)} µs after ${sessions * EVENTS} events`);
  log.close();
}

async function measureVerbs(folder: string): Promise<void> {
  const open = async <Result>(work: (log: StoredEventLog) => Result): Promise<Result> => {
    const log = await openEventLog({ folder, tenant: 'local' });
    try {
      return work(log);
    } finally {
      log.close();
    }
  };
  console.log(`trace list, opening the log included:     ${await timed(() => open((log) => renderTraceList(listTraces(log, 20))))}`);
  console.log(`trace list of all sessions:               ${await timed(() => open((log) => renderTraceList(listTraces(log, 100_000))))}`);
  console.log(
    `trace show of ${LARGE} events:               ${await timed(() => open((log) => renderTrace(traceSession(log, 's-large'), {})))}`,
  );
  console.log(
    `trace show --full of ${LARGE} events:        ${await timed(() => open((log) => renderTrace(traceSession(log, 's-large', true), { whole: true })))}`,
  );
  console.log(`trace why in ${LARGE} events:                ${await timed(() => open((log) => traceFigure(log, 's-large', '777')))}`);
  console.log(`trace blame of ${LARGE} events:              ${await timed(() => open((log) => blameTrace(log, 's-large', undefined)))}`);
  const main = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));
  if (!existsSync(main)) return console.log('no dist/: `npm run build` measures the whole process too');
  console.log(`the process of trace list:                ${timedProcess([main, 'trace', 'list'], folder)}`);
  console.log(`the process of trace show, ${LARGE} events:  ${timedProcess([main, 'trace', 'show', 's-large'], folder)}`);
}

const STEPS = 200;
const PROJECT: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: bench\nsources: {}\n',
  'agents/boss.yaml':
    'name: boss\ndescription: Walks. Use it to walk.\ninstructions: Walk.\ntools: [take_step]\nlimits: { turns: 400, tool_calls: 400, tokens: 900000000, context: 1000000 }\n',
  'tools/take-step.ts': `import { complete, defineTool, z } from 'soloist';
export const takeStep = defineTool({
  name: 'take_step', description: 'Takes one step.', input: z.object({ step: z.int() }), output: z.object({ text: z.string() }), effect: 'read',
  run: async ({ step }) => complete({ text: (step + ' ').repeat(2000).slice(0, 2000) }),
});
`,
};

/** Processor time of each step of runs of 200 steps with results of 2 KB, the median over the runs. */
async function measureSteps(runs: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-bench-steps-'));
  for (const [path, text] of Object.entries(PROJECT)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
  const samples: number[][] = Array.from({ length: STEPS + 1 }, () => []);
  for (let run = 0; run < runs; run++) {
    let last = process.cpuUsage();
    const model = scriptedModel((_messages, _opening, turn) => {
      const { user, system } = process.cpuUsage(last);
      if (turn > 0) samples[turn]?.push(user + system);
      last = process.cpuUsage();
      return turn < STEPS ? { calls: [{ tool: 'take_step', input: { step: turn } }] } : { text: 'Walked.' };
    });
    const bare = {
      ...model,
      startConversation: (opening: Parameters<typeof model.startConversation>[0]) => countless(model.startConversation(opening)),
    };
    const scope = new Scope();
    await runSession({
      workspace,
      agent: workspace.agent('boss'),
      question: 'Walk.',
      model: bare,
      scope,
      work: new Scope(scope),
      withoutMemory: true,
    });
  }
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
  const around = (step: number): string => {
    const near = samples.slice(Math.max(1, step - 5), step + 6).flat();
    return `step ${step} ${Math.min(...near)} µs at best, ${median(near)} µs median`;
  };
  console.log(`processor time of a step, ${STEPS} steps with 2 KB results, ${runs} runs: ${[10, 100, STEPS - 5].map(around).join('; ')}`);
}

/** The scripted model adds up its whole history for an estimate; that is no cost of the loop. */
function countless<Conversation extends object>(conversation: Conversation): Conversation {
  return { ...conversation, estimatedTokens: () => 1_000 };
}

const [sessions = '1000', given] = process.argv.slice(2);
const folder = given ?? mkdtempSync(join(tmpdir(), 'soloist-bench-trace-'));
console.log(`load ${loadavg()[0]?.toFixed(2)}, node ${process.version}, ${sessions} sessions of ${EVENTS} events`);
if (!existsSync(join(folder, 'soloist.db'))) await fill(folder, Number(sessions));
await measureVerbs(folder);
await measureSteps(20);
console.log(`load ${loadavg()[0]?.toFixed(2)}`);
if (given === undefined) rmSync(folder, { recursive: true, force: true });
