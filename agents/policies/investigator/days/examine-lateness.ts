import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, cite, type Finding, NOTHING, type PartReport, usable } from '../part-report.ts';
import { figure, read } from '../read-data.ts';
import { isTime, nameOf } from '../tables/ask-sql.ts';
import type { ListedTable } from '../tables/choose-tables.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { lookAtTables } from '../tables/look-at-tables.ts';

export interface LatenessRequest {
  /** The table that holds all rows. */
  readonly whole: ListedTable;
  readonly all: readonly ListedTable[];
  /** Rows that the other table lacks. */
  readonly missing: string;
}

/** How late rows came, and whether those that are missing are just those that an incremental load leaves behind. */
export async function examineLateness(play: Play, { whole, all, missing }: LatenessRequest): Promise<PartReport> {
  if (!play.tools.has('lateness')) return NOTHING;
  const [looked] = await lookAtTables(play, [whole]);
  if (!looked?.happened || !looked.loaded || looked.happened === looked.loaded) return NOTHING;
  const runs = await findRuns(play, whole, all);
  const result = await callIfOffered(play, 'lateness', {
    table: whole.name,
    source: whole.source,
    event_time: nameOf(looked.happened),
    load_time: nameOf(looked.loaded),
    ...runs,
  });
  if (!usable(result)) return NOTHING;
  const data = read(result.data);
  const late = data.at('lateness_seconds');
  const behind = data.at('behind_watermark');
  const times = `Rows of \`${whole.name}\` arrive ${figure(late.number('p50'))} s (p50), ${figure(late.number('p99'))} s (p99) and at most ${figure(late.number('max'))} s after \`${nameOf(looked.happened)}\``;
  const rows = behind.number('rows');
  if (!('runs_table' in runs) || rows === null || rows === 0)
    return { ...NOTHING, findings: [{ kind: 'observation', claim: `${times}.`, evidence: [result.id], confidence: 'high' }] };
  const same = String(rows) === missing;
  const hours = data.at('lookback').number('smallest_hours_that_lose_nothing');
  const claim = `${times}. Of ${figure(data.at('runs').text('from'))}, a filter on \`${nameOf(looked.happened)}\` newer than the newest loaded leaves ${rows} rows behind${same ? ', exactly as many as are missing' : ''}: they arrived after a run had moved past their time. The smallest lookback that loses nothing in this history is ${figure(hours)} hours (merge by key, so that no row comes twice); a filter on \`${nameOf(looked.loaded)}\` or a full refresh would bring them too, running the same filter again would not`;
  const finding: Finding = {
    kind: same ? 'cause' : 'observation',
    claim: `${claim}.`,
    evidence: [result.id],
    confidence: same ? 'high' : 'medium',
    refuted_by: 'missing rows that arrived before the run that should have taken them',
  };
  return { answer: [`${claim}${cite(result)}.`], detail: [], findings: [finding] };
}

/** A table that lists the runs of the load, known by its name and by a time among its columns. */
async function findRuns(play: Play, whole: ListedTable, all: readonly ListedTable[]): Promise<Readonly<Record<string, string>>> {
  const named = all.filter(
    (table) => table !== whole && /(^|[_./-])(runs?|loads?|batch(es)?|jobs?|executions?|watermarks?)([_./-]|$)/i.test(table.name),
  );
  const looked: readonly LookedAt[] = await lookAtTables(play, named.slice(0, 2));
  for (const { table, profile } of looked) {
    const times = profile.columns.filter(isTime);
    const time =
      times.find((column) => /run|start|execut|at$|time/i.test(nameOf(column)) && !/watermark/i.test(nameOf(column))) ?? times[0];
    if (time) return { runs_table: table.name, runs_source: table.source, runs_time: nameOf(time) };
  }
  return {};
}
