import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { callIfOffered, type Finding, idsOf, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { clock, enumerate, momentOf, read } from '../read-data.ts';
import { type ListedRun, listingOf, type RunList, readRunList } from '../runs/choose-run.ts';
import { readTask, taskName } from '../runs/run-facts.ts';
import { RUN_KINDS } from '../source-kinds.ts';
import { askSql, nameOf, quoted } from '../tables/ask-sql.ts';
import type { ListedTable } from '../tables/choose-tables.ts';
import { lookAtTables } from '../tables/look-at-tables.ts';

const LISTED = 100;
const MOST_LOADS = 2;
const MOST_RUNS = 4;
/** What a run wrote may bear a time just before or after it by another clock. */
const SLACK_MS = 60_000;

/** Copies of rows that came within an hour, with the times at which they and the rows that they are copies of were loaded. */
interface Load {
  readonly copies: string;
  readonly from: string;
  readonly until: string;
  readonly firstFrom: string;
  readonly firstUntil: string;
}

/** Which run brought copies of rows: by their load times, a task that was tried again, or a run beside the usual ones. */
export async function tellLoadingRun(play: Play, table: ListedTable, duplicates: ToolResult): Promise<PartReport> {
  if (!play.sources.some(({ kind }) => RUN_KINDS.has(kind))) return NOTHING;
  const loads = await loadsOf(play, table, read(duplicates.data).texts('load_columns'));
  const listed = loads && (await callIfOffered(play, 'list_runs', { limit: LISTED }));
  if (!loads || !usable(listed)) return NOTHING;
  const list = readRunList(listed.data);
  const told = await Promise.all(loads.rows.map((load) => explainLoad(play, load, { list, listed })));
  const findings = told.flatMap((one, at): Finding[] => {
    const load = loads.rows[at];
    if (!one || !load) return [];
    const claim = `Of the copies in \`${table.name}\` ${load.copies} (extra_copies ${load.copies}) were loaded again (loaded_from ${load.from}, loaded_until ${load.until}), after the rows that they are copies of (first_loaded_from ${load.firstFrom}, first_loaded_until ${load.firstUntil}): ${one.says}.`;
    return [
      {
        kind: 'cause',
        claim,
        evidence: [loads.id, ...one.evidence],
        confidence: 'medium',
        refuted_by: 'a log of that time that shows what it wrote',
      },
    ];
  });
  return tell(...findings);
}

/** The hours that brought the most copies; undefined where no column tells when a row was loaded. */
async function loadsOf(play: Play, table: ListedTable, loadColumns: readonly string[]) {
  const [looked] = await lookAtTables(play, [table], 1);
  if (!looked?.loaded) return undefined;
  const loaded = nameOf(looked.loaded);
  const time = `CAST(${quoted(loaded)} AS VARCHAR)`;
  const names = looked.profile.columns.map(nameOf);
  const content = names.filter((name) => name !== loaded && !loadColumns.includes(name)).map(quoted);
  const answered = await askSql(
    play,
    table.source,
    `WITH held AS (SELECT ${time} AS loaded, ROW_NUMBER() OVER (PARTITION BY ${content.join(', ')} ORDER BY ${time}) AS nth, MIN(${time}) OVER (PARTITION BY ${content.join(', ')}) AS first_loaded FROM ${quoted(table.name)})
SELECT SUBSTR(loaded, 1, 13) AS hour, COUNT(*) AS extra_copies, MIN(loaded) AS loaded_from, MAX(loaded) AS loaded_until, MIN(first_loaded) AS first_loaded_from, MAX(first_loaded) AS first_loaded_until FROM held WHERE nth > 1 GROUP BY 1 ORDER BY 2 DESC LIMIT ${MOST_LOADS}`,
  );
  if (!answered) return undefined;
  const rows = answered.rows.map((row): Load => {
    const [copies = '', from = '', until = '', firstFrom = '', firstUntil = ''] = row.slice(1).map(String);
    return { copies, from, until, firstFrom, firstUntil };
  });
  return { id: answered.id, rows };
}

interface Listing {
  readonly list: RunList;
  readonly listed: ToolResult;
}

interface Explained {
  readonly says: string;
  readonly evidence: readonly string[];
}

async function explainLoad(play: Play, load: Load, { list, listed }: Listing): Promise<Explained | undefined> {
  const then = list.runs.filter((run) => covers(run.startedAt, run.endedAt, load)).slice(0, MOST_RUNS);
  const extra = then.map((run) => explainExtra(run, { list, listed })).find((one) => one !== undefined);
  if (extra) return extra;
  const tried = await Promise.all(then.map((run) => explainRetry(play, run, { load, list })));
  return tried.find((one) => one !== undefined);
}

/** A run beside the usual ones, by the list itself or by its type. */
function explainExtra(run: ListedRun, { list, listed }: Listing): Explained | undefined {
  const beside = read(listed.data)
    .list('extra_runs')
    .find((one) => one.text('run_id') === run.runId && one.text('pipeline') === run.pipeline);
  const before = beside?.text('before_run_id');
  const other = before ?? list.runs.find((one) => one.pipeline === run.pipeline && one.runId !== run.runId && sameDay(one, run))?.runId;
  const isUsual = beside === undefined && !/manual|backfill/.test(run.type);
  if (isUsual || other === undefined) return undefined;
  const says = `in that time ran \`${run.runId}\` of \`${run.pipeline}\` (${run.type}, started ${clock(run.startedAt)}), which loaded once more what its run \`${other}\` had loaded`;
  return { says, evidence: [listed.id] };
}

function sameDay(one: ListedRun, other: ListedRun): boolean {
  const day = (run: ListedRun): string | undefined => (run.logicalDate ?? run.startedAt)?.slice(0, 10);
  return day(one) !== undefined && day(one) === day(other);
}

/** A task of the run that ran at that time and was not on its first try. */
async function explainRetry(
  play: Play,
  run: ListedRun,
  { load, list }: { readonly load: Load; readonly list: RunList },
): Promise<Explained | undefined> {
  const source = listingOf(list, run)?.source ?? '';
  const taken = await callIfOffered(play, 'get_run', { run_id: run.runId, pipeline: run.pipeline, ...(source === '' ? {} : { source }) });
  if (!usable(taken)) return undefined;
  const data = read(taken.data);
  const atWork = data
    .list('groups')
    .filter((group) => covers(group.text('first_start'), group.text('last_end'), load))
    .map((group) => group.text('task_id'));
  const retried = data
    .list('retried')
    .map(readTask)
    .filter(({ task }) => atWork.includes(task));
  if (retried.length === 0) return undefined;
  const told = retried.map((task) => `${taskName(task)} on try ${String(task.tryNumber)}`);
  const says = `in that time run \`${run.runId}\` of \`${run.pipeline}\` had ${enumerate(told, 3)}, which wrote again what an earlier try had written`;
  return { says, evidence: idsOf(taken) };
}

/** Whether a span of time holds the times of a load. */
function covers(start: string | null, end: string | null, { from, until }: Load): boolean {
  if (start === null) return false;
  return Date.parse(start) <= momentOf(until) + SLACK_MS && (end === null || Date.parse(end) >= momentOf(from) - SLACK_MS);
}
