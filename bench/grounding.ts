/**
 * How well answers are grounded: `npx tsx bench/grounding.ts [mutants of each kind]`. First the pairs that were judged by
 * hand, then answers in free prose over recorded results, then real answers of the shipped agents on the bundled example and on the cases of the tests, each changed in one place.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepResults } from '../src/app/ground-results.ts';
import { createModelPool } from '../src/app/model-pool.ts';
import { runSession } from '../src/app/run-session.ts';
import { openWorkspace } from '../src/app/workspace.ts';
import type { Event } from '../src/core/event.ts';
import { Scope } from '../src/core/scope.ts';
import { type GroundingInput, groundAnswer } from '../src/grounding/ground-answer.ts';
import { type MutationKind, mutate } from '../test/grounding/mutate-answer.ts';
import { readPairs } from '../test/grounding/read-pairs.ts';
import { readProse } from '../test/grounding/read-prose.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const EXAMPLE = join(ROOT, 'examples/nightly-sales');
const SEED = 7;

interface Asked {
  readonly agent: string;
  readonly question: string;
  readonly sources?: readonly string[];
}

const ON_EXAMPLE: readonly Asked[] = [
  { agent: 'investigator', question: "Why did last night's nightly_sales run take three times as long?" },
  { agent: 'investigator', question: 'Are there duplicates in payments?' },
  { agent: 'investigator', question: 'What failed last night?' },
  { agent: 'investigator', question: 'Profile the table shipments.' },
  { agent: 'data-quality', question: 'Check all tables.' },
  { agent: 'profile-all', question: 'Profile all tables.' },
  { agent: 'table-profiler', question: 'Profile the table payments.' },
  { agent: 'log-reader', question: 'What led to what in the logs?' },
];

const caseOf = (name: string): string => join(ROOT, 'test/cases', name);
const ON_CASES: readonly Asked[] = [
  { agent: 'investigator', question: 'Why was last night slow?', sources: [`runs=airflow-export:${caseOf('slow-run-pool-starvation')}`] },
  {
    agent: 'investigator',
    question: 'Which orders are duplicates and why?',
    sources: [`files=files:${caseOf('retry-duplicates')}`, `logs=logs:${caseOf('retry-duplicates')}`],
  },
  {
    agent: 'investigator',
    question: 'What changed in the files, and what is the right total?',
    sources: [`files=files:${caseOf('schema-drift-daily-files')}`],
  },
  { agent: 'investigator', question: 'What happened in which order?', sources: [`logs=logs:${caseOf('mixed-log-formats')}`] },
  {
    agent: 'investigator',
    question: 'How many distinct ids, and which is the largest?',
    sources: [`files=files:${caseOf('big-integers-and-money')}`],
  },
];

/** Answers in the free prose of a language model, over recorded results. */
function reportProse(each: number): void {
  const tallies = newTallies();
  for (const input of readProse('hand')) takeAnswer(input, input.name, { each, tallies });
  print('free prose', tallies);
}

/** One answer of an agent's rules, with the results behind it. */
async function ask({ agent: name, question, sources = [] }: Asked): Promise<GroundingInput> {
  const home = mkdtempSync(join(tmpdir(), 'soloist-grounding-'));
  const workspace = await openWorkspace({
    folder: sources.length > 0 ? home : EXAMPLE,
    sourceFlags: sources,
    environment: { SOLOIST_HOME: join(home, 'log'), HOME: home },
  });
  const models = createModelPool(workspace, 'rules');
  const scope = new Scope();
  const events: Event[] = [];
  try {
    const agent = workspace.agent(name);
    const { model } = await models.choose(agent);
    const modelFor = async (child: typeof agent) => (await models.choose(child)).model;
    const onEvent = (event: Event): void => void events.push(event);
    const report = await runSession({
      workspace,
      agent,
      question,
      model,
      modelFor,
      scope,
      work: new Scope(scope),
      onEvent,
      withoutMemory: true,
    });
    const kept = keepResults(await workspace.openLog());
    for (const event of events) kept.take(event);
    return { answer: report.answer, question, results: kept.of('main') };
  } finally {
    await models.close();
    await workspace.close();
    rmSync(home, { recursive: true, force: true });
  }
}

const unsupported = (input: GroundingInput): number => groundAnswer(input).figures.filter(({ status }) => status === 'unsupported').length;

function reportPairs(): void {
  const pairs = readPairs().map((pair) => ({ ...pair, figures: groundAnswer(pair.input).figures }));
  const wrong = pairs.filter(({ expected }) => expected.includes('unsupported'));
  const missed = wrong.filter(
    ({ expected, figures }) => !figures.some(({ status }, at) => status === 'unsupported' && expected[at] === 'unsupported'),
  );
  const right = pairs.flatMap(({ expected, figures }) =>
    expected.flatMap((status, at) => (status && status !== 'unsupported' ? [figures[at]?.status] : [])),
  );
  const alarms = right.filter((status) => status === 'unsupported').length;
  console.log(
    `pairs: ${pairs.length}; wrong answers ${wrong.length}, undetected ${missed.length}; right figures ${right.length}, false alarms ${alarms} (${percent(alarms, right.length)})`,
  );
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}

interface Tallies {
  readonly kinds: Map<MutationKind | 'all', { caught: number; made: number }>;
  readonly times: number[];
  answers: number;
  figures: number;
  alarms: number;
}

function newTallies(): Tallies {
  return { kinds: new Map(), times: [], answers: 0, figures: 0, alarms: 0 };
}

function takeAnswer(input: GroundingInput, name: string, { each, tallies }: { readonly each: number; readonly tallies: Tallies }): void {
  const started = process.cpuUsage();
  tallies.figures += groundAnswer(input).figures.length;
  tallies.times.push(process.cpuUsage(started).user / 1000);
  const clean = unsupported(input);
  tallies.answers++;
  tallies.alarms += clean;
  for (const mutant of mutate(input.answer, { seed: SEED, each })) {
    const isCaught = unsupported({ ...input, answer: mutant.answer }) > clean;
    for (const kind of [mutant.kind, 'all'] as const) {
      const count = tallies.kinds.get(kind) ?? { caught: 0, made: 0 };
      tallies.kinds.set(kind, { caught: count.caught + (isCaught ? 1 : 0), made: count.made + 1 });
    }
    if (!isCaught) console.log(`  not caught: ${mutant.kind} ${mutant.from} -> ${mutant.to} (${name})`);
  }
}

function print(title: string, { kinds, times, answers, figures, alarms }: Tallies): void {
  const cpu = times.map((time) => time.toFixed(0)).join(', ');
  console.log(
    `${title}: ${answers} answers, ${figures} figures, ${alarms} unsupported as they are; CPU per answer, cold to warm: ${cpu} ms`,
  );
  for (const [kind, { caught, made }] of kinds) console.log(`  ${kind}: ${caught} of ${made} caught (${percent(caught, made)})`);
}

async function reportMutants(title: string, asked: readonly Asked[], each: number): Promise<void> {
  const tallies = newTallies();
  for (const one of asked) takeAnswer(await ask(one), `${one.agent}: ${one.question.slice(0, 40)}`, { each, tallies });
  print(title, tallies);
}

const each = Number(process.argv[2] ?? 12);
console.log(`load ${loadavg()[0]?.toFixed(1)}`);
reportPairs();
reportProse(each);
await reportMutants('bundled example', ON_EXAMPLE, each);
await reportMutants('cases', ON_CASES, each);
