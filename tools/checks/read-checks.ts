import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { noData } from '../../src/core/tool-result.ts';
import { answerLists } from '../artifacts/answer-lists.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { fitList, listOf } from '../dbt/shape-changes.ts';
import { countBy } from '../dbt/shape-node-results.ts';
import { createListShortener, type ListShortener } from '../runs/shorten-lists.ts';
import type { CheckResult, CheckRun } from './check-result.ts';
import { loadCheckRuns } from './load-check-runs.ts';

const check = z.object({
  suite: z.string(),
  check: z.string(),
  target: z.string().optional(),
  column: z.string().optional(),
  status: z.string(),
  raw_status: z.string(),
  observed: z.string().optional(),
  expected: z.string().optional(),
  expected_min: z.number().optional(),
  expected_max: z.number().optional(),
  outside_by: z.number().optional().describe('how far what was observed lies outside of the bounds'),
  failing_rows: z.union([z.number(), z.string()]).optional(),
  message: z.string().optional(),
});

const suite = z.object({
  tool: z.string(),
  suite: z.string(),
  source: z.string(),
  path: z.string(),
  at: z.string().nullable(),
  checks: z.number(),
  by_status: z.record(z.string(), z.number()),
  runs: z.number().describe('runs of this suite that were found; the newest is read'),
  compared_with: z.string().optional(),
});

const output = z.object({
  checks: z.number(),
  by_status: z.record(z.string(), z.number()),
  suites: listOf(suite),
  failed: listOf(check).describe('failed, error and warned'),
  not_evaluated: listOf(check).describe('checks without a result: they did not pass'),
  disappeared: listOf(
    z.object({
      suite: z.string(),
      check: z.string(),
      target: z.string().optional(),
      column: z.string().optional(),
      status_before: z.string(),
      failing_rows_before: z.union([z.number(), z.string()]).optional(),
      replaced_by: z.string().optional(),
      path_before: z.string(),
    }),
  ).describe('checks that the run before had and the newest has not'),
  newly_failing: listOf(
    z.object({ suite: z.string(), check: z.string(), column: z.string().optional(), before: z.string(), after: z.string() }),
  ),
  added: z.number().describe('checks that the newest runs have and the ones before had not'),
  non_finite: z.object({ count: z.number(), places: z.array(z.string()) }).describe('NaN and Infinity: not a number, never 0'),
});

const input = z.object({
  source: z.string().optional().describe('Name of the source; all that have files unless named'),
  path: z.string().optional().describe('One file, or the beginning of paths'),
  before: z.string().optional().describe('The file to compare with; the run before of the same suite unless given'),
  suite: z.string().optional().describe('Only suites, scans or projects whose name contains this text'),
  limit: z.number().int().min(1).max(300).default(25),
});

/** The results of data quality checks, whatever tool made them, in one shape. */
export const readChecks = defineTool({
  name: 'read_checks',
  description:
    'Reads results of data quality checks in one shape: Great Expectations validations and checkpoints, Soda scans, dbt tests. For the newest run of each suite: what failed, errors, checks that were not evaluated, figures observed and expected; compared with the run before: checks that DISAPPEARED, newly failing ones. Names the places of NaN and Infinity. Use it to see what is checked and what failed, and when a run is suddenly green.',
  input,
  output,
  effect: 'read',
  example: {},
  run: readAll,
});

async function readAll(request: z.output<typeof input>, context: ToolContext) {
  const loaded = await loadCheckRuns(context, request);
  const lists = createListShortener();
  const runs = loaded.runs.filter((one) => request.suite === undefined || one.suite.includes(request.suite));
  const pairs = pairUp(runs, request.before);
  lists.warn([...pairs.flatMap(warningsOf), ...loaded.warnings]);
  if (pairs.length === 0)
    return noData(
      { message: 'no file holds results of checks (Great Expectations, Soda, dbt tests)' },
      { warnings: lists.warnings(), asOf: context.now() },
    );
  const data = shape(pairs, lists, request.limit);
  return answerLists(data, { lists, whole: loaded.complete, now: context.now(), total: data.checks, returned: data.failed.returned });
}

interface Pair {
  readonly now: CheckRun;
  readonly before: CheckRun | undefined;
  readonly runs: number;
}

/** The newest run of each suite with the one before it. */
function pairUp(runs: readonly CheckRun[], before: string | undefined): readonly Pair[] {
  const bySuite = new Map<string, CheckRun[]>();
  const inFile = new Map<string, number>();
  for (const one of runs) {
    // A file may hold several batches of one suite: the first is compared with the first, the second with the second.
    const place = JSON.stringify([one.tool, one.suite, one.path]);
    inFile.set(place, (inFile.get(place) ?? 0) + 1);
    const key = JSON.stringify([one.tool, one.suite, inFile.get(place)]);
    const list = bySuite.get(key);
    if (list) list.push(one);
    else bySuite.set(key, [one]);
  }
  return [...bySuite.values()].flatMap((list) => {
    const now = list.find(({ path }) => path !== before);
    if (!now) return [];
    const earlier = before === undefined ? list[list.indexOf(now) + 1] : list.find(({ path }) => path === before);
    return [{ now, before: earlier, runs: list.length }];
  });
}

function shape(pairs: readonly Pair[], lists: ListShortener, most: number): z.output<typeof output> {
  const all = pairs.flatMap(({ now }) => now.checks.map((one) => ({ run: now, one })));
  const of = (...statuses: string[]) => all.filter(({ one }) => statuses.includes(one.status)).map(({ run, one }) => shapeCheck(run, one));
  const rank = ({ status }: z.output<typeof check>): number => ['error', 'failed', 'warned', 'other'].indexOf(status);
  const list = <Item>(name: string, items: readonly Item[], characters: number) => fitList(lists, name, items, { characters, most });
  const places = pairs.flatMap(({ now }) => now.nonFinite.map((place) => (pairs.length > 1 ? `${now.path}: ${place}` : place)));
  return {
    checks: all.length,
    by_status: countBy(all, ({ one }) => one.status),
    suites: list('suites', pairs.map(shapeSuite), 1500),
    failed: list(
      'failed',
      of('failed', 'error', 'warned', 'other').sort((left, right) => rank(left) - rank(right)),
      4500,
    ),
    not_evaluated: list('not_evaluated', of('not_evaluated'), 1000),
    disappeared: list('disappeared', pairs.flatMap(disappeared), 2500),
    newly_failing: list('newly_failing', pairs.flatMap(newlyFailing), 1000),
    added: pairs.reduce(
      (sum, { now, before }) => sum + (before ? now.checks.filter(({ key }) => !before.checks.some((one) => one.key === key)).length : 0),
      0,
    ),
    non_finite: {
      count: pairs.reduce((sum, { now }) => sum + now.nonFiniteCount, 0),
      places: lists.shorten('non_finite places', [...new Set(places)], { characters: 900 }),
    },
  };
}

function shapeCheck({ suite: name }: CheckRun, one: CheckResult): z.output<typeof check> {
  return {
    suite: shortenText(name, 100),
    check: shortenText(one.check, 160),
    ...optional('target', one.target),
    ...optional('column', one.column),
    status: one.status,
    raw_status: shortenText(one.rawStatus, 40),
    ...optional('observed', one.observed),
    ...optional('expected', one.expected),
    ...one.bounds,
    ...(one.failingRows === null || one.failingRows === 0 ? {} : { failing_rows: one.failingRows }),
    ...optional('message', one.message),
  };
}

function optional<Key extends string>(key: Key, value: string | null): { [Name in Key]?: string } {
  return value === null ? {} : ({ [key]: shortenText(value, 240) } as { [Name in Key]: string });
}

function shapeSuite({ now, before, runs }: Pair): z.output<typeof suite> {
  return {
    tool: now.tool,
    suite: shortenText(now.suite, 100),
    source: now.source,
    path: shortenText(now.path, 150),
    at: now.at,
    checks: now.checks.length,
    by_status: countBy(now.checks, ({ status }) => status),
    runs,
    ...(before ? { compared_with: shortenText(before.path, 150) } : {}),
  };
}

function disappeared({ now, before }: Pair) {
  const keys = new Set(now.checks.map(({ key }) => key));
  const gone = (before?.checks ?? []).filter(({ key }) => !keys.has(key));
  const known = new Set((before?.checks ?? []).map(({ key }) => key));
  const rank = ({ status }: CheckResult): number => (status === 'passed' ? 1 : 0);
  return gone
    .sort((left, right) => rank(left) - rank(right))
    .map((one) => {
      const like = now.checks.find(
        (other) => !known.has(other.key) && other.check === one.check && other.column === one.column && other.target === one.target,
      );
      return {
        suite: shortenText(now.suite, 100),
        check: shortenText(one.check, 200),
        ...optional('target', one.target),
        ...optional('column', one.column),
        status_before: one.status,
        ...(one.failingRows === null || one.failingRows === 0 ? {} : { failing_rows_before: one.failingRows }),
        ...(like ? { replaced_by: `${like.check} with ${like.expected ?? 'other arguments'}` } : {}),
        path_before: shortenText(before?.path ?? '', 150),
      };
    });
}

function newlyFailing({ now, before }: Pair) {
  if (!before) return [];
  const old = new Map(before.checks.map((one) => [one.key, one.status]));
  return now.checks.flatMap((one) => {
    const earlier = old.get(one.key) ?? 'not there';
    const bad = (status: string): boolean => status === 'failed' || status === 'error';
    if (!bad(one.status) || bad(earlier)) return [];
    return [
      {
        suite: shortenText(now.suite, 100),
        check: shortenText(one.check, 160),
        ...optional('column', one.column),
        before: earlier,
        after: one.status,
      },
    ];
  });
}

function warningsOf({ now }: Pair) {
  const warnings = now.contradictions.map((message) => ({ code: 'contradiction', message: `${now.path}: ${message}` }));
  if (now.nonFiniteCount > 0)
    warnings.push({
      code: 'not_a_number',
      message: `${now.path}: ${now.nonFiniteCount} places hold NaN or Infinity; they are kept as text and never count as 0`,
    });
  return warnings;
}
