import type { Play } from '../../../src/core/policy.ts';
import { callIfOffered, mergeReports, type PartReport, usable } from '../investigator/part-report.ts';
import { capital, enumerate, figure, read } from '../investigator/read-data.ts';
import { askSql, dayOf, isGrouping, isKey, isNumber, LOADED, nameOf, quoted } from '../investigator/tables/ask-sql.ts';
import type { LookedAt } from '../investigator/tables/look-at-tables.ts';
import { say } from './say.ts';

/** When the newest row came, by the column that says when rows were loaded, else by the one that dates them, else by the file. */
export async function answerLast(play: Play, looked: LookedAt): Promise<PartReport | undefined> {
  const { table, profile } = looked;
  const result = await callIfOffered(play, 'freshness', { table: table.name, source: table.source });
  if (!usable(result)) return undefined;
  const data = read(result.data);
  const loads = new Set(profile.columns.map(nameOf).filter((name) => LOADED.test(name)));
  const columns = [...data.list('columns')].sort(
    (left, right) => Number(loads.has(right.text('column') ?? '')) - Number(loads.has(left.text('column') ?? '')),
  );
  const [first, second] = columns;
  const file = data.text('file_modified');
  if (!first)
    return file === null ? undefined : say(`\`${table.name}\` has no column of times; its file was last written at ${file}`, result.id);
  const kind = loads.has(first.text('column') ?? '') ? 'when a row was loaded' : 'what a row is dated, not when it was loaded';
  const aside = [
    ...(first.at('future').number('rows') === null ? [] : [`${figure(first.at('future').number('rows'))} rows in the future set aside`]),
    ...(first.at('sentinels').number('rows') === null
      ? []
      : [`${figure(first.at('sentinels').number('rows'))} rows with sentinel dates set aside`]),
  ];
  const head = `The newest \`${first.text('column') ?? ''}\` of \`${table.name}\` is ${String(first.at('newest').value)} (${kind}), ${figure(first.text('age'))} before ${figure(data.text('as_of'))}${aside.length > 0 ? `, ${aside.join(', ')}` : ''}`;
  const also = [
    ...(second ? [`the newest \`${second.text('column') ?? ''}\` is ${String(second.at('newest').value)}`] : []),
    ...(file === null ? [] : [`its file was last written at ${file}`]),
  ];
  return mergeReports([
    say(head, result.id),
    ...(also.length > 0 ? [say(capital(also.join('; ')), result.id)] : []),
    say('Nothing states how fresh it has to be, so whether that is fresh enough fixed rules cannot say', ''),
  ]);
}

/** Whether there is a row on every day from the first to the last, and what is empty. */
export async function answerComplete(play: Play, looked: LookedAt): Promise<PartReport | undefined> {
  const { table, profile, happened } = looked;
  const gaps = profile.columns.filter((column) => (column.number('null') ?? 0) > 0);
  const empty =
    gaps.length === 0
      ? 'no column is empty in any row'
      : `empty are ${enumerate(
          gaps.map((column) => `\`${nameOf(column)}\` in ${String(column.number('null'))} rows`),
          8,
        )}`;
  const whole = `\`${table.name}\` has ${figure(profile.rows)} rows; ${empty}`;
  const note = say('Whether rows are lacking within a day can only be told against the source that it was loaded from', '');
  if (!happened) return mergeReports([say(`${whole}; it has no column of days to look for gaps in`, profile.result), note]);
  const days = await readDays(play, looked);
  if (!days) return undefined;
  const head =
    days.without.length === 0
      ? `\`${table.name}\` has rows on every day by \`${nameOf(happened)}\` from ${days.from} to ${days.to}`
      : `\`${table.name}\` has no row on ${days.missing} by \`${nameOf(happened)}\` between ${days.from} and ${days.to}: ${days.without.slice(0, 8).join(', ')}${days.without.length > 8 ? ', and others' : ''}`;
  return mergeReports([say(head, days.id), say(whole, profile.result), note]);
}

/** The days without any row between the first and the last; undefined where there is none. */
export async function silentDays(play: Play, looked: LookedAt): Promise<PartReport | undefined> {
  const days = await readDays(play, looked);
  if (!days || days.without.length === 0) return undefined;
  return say(`\`${looked.table.name}\` has no row at all on ${enumerate(days.without, 8)}`, days.id);
}

async function readDays(play: Play, { table, happened }: LookedAt) {
  if (!happened) return undefined;
  const counted = await callIfOffered(play, 'row_counts', { table: table.name, source: table.source, time_column: nameOf(happened) });
  if (!usable(counted)) return undefined;
  const data = read(counted.data);
  const missing = data.at('missing');
  const without = missing
    .list('gaps')
    .map((gap) =>
      gap.text('from') === gap.text('to') ? (gap.text('from') ?? '') : `${gap.text('from') ?? ''} to ${gap.text('to') ?? ''}`,
    );
  const total = missing.number('buckets') ?? 0;
  const [from, to] = [data.text('first')?.slice(0, 10) ?? 'unknown', data.text('last')?.slice(0, 10) ?? 'unknown'];
  return { id: counted.id, without, missing: total === 1 ? 'one day' : `${total} days`, from, to };
}

/** The newest day against the one before it: rows, sums and which values came or went. */
export async function answerChanged(play: Play, looked: LookedAt): Promise<PartReport | undefined> {
  const { table, profile, happened } = looked;
  if (!happened) return undefined;
  const amounts = profile.columns.filter((column) => isNumber(column) && !isKey(column)).slice(0, 4);
  const groups = profile.columns
    .filter((column) => isGrouping(column, 30) && column !== happened && !LOADED.test(nameOf(column)))
    .slice(0, 3);
  const sums = amounts.map(
    (column) => `, ROUND(CAST(SUM(${quoted(nameOf(column))}) AS DECIMAL(28, 6)), 2) AS ${quoted(`total ${nameOf(column)}`)}`,
  );
  const day = dayOf(happened);
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${day} AS ${quoted(nameOf(happened))}, COUNT(*) AS rows${sums.join('')} FROM ${quoted(table.name)} WHERE ${quoted(nameOf(happened))} IS NOT NULL GROUP BY 1 ORDER BY 1 DESC LIMIT 2`,
  );
  const [now, before] = answered?.rows ?? [];
  if (!answered || !now || !before) return undefined;
  const names = ['rows', ...amounts.map((column) => `total \`${nameOf(column)}\``)].join(' / ');
  const head = `The newest day of \`${table.name}\` against the one before it, by day of \`${nameOf(happened)}\` / ${names}: ${now.map(String).join(' / ')}, before that ${before.map(String).join(' / ')}`;
  const moved = await Promise.all(
    groups.map((column) => changedValues(play, looked, { column: nameOf(column), day, days: [String(before[0]), String(now[0])] })),
  );
  return mergeReports([say(head, answered.id), ...moved.filter((part) => part !== undefined)]);
}

async function changedValues(
  play: Play,
  { table }: LookedAt,
  { column, day, days }: { column: string; day: string; days: readonly [string, string] },
) {
  const on = (wanted: string): string => `SUM(CASE WHEN ${day} = '${wanted}' THEN 1 ELSE 0 END)`;
  const answered = await askSql(
    play,
    table.source,
    `SELECT ${quoted(column)} AS value, ${on(days[0])} AS rows_before, ${on(days[1])} AS rows_now FROM ${quoted(table.name)} GROUP BY 1 ORDER BY 1`,
    60,
  );
  const gone = (answered?.rows ?? []).filter(([, before, now]) => Number(before) > 0 !== Number(now) > 0);
  if (!answered || gone.length === 0) return undefined;
  const told = gone
    .slice(0, 6)
    .map(([value, before, now]) => `${value === null ? 'no value' : String(value)} / ${String(before)} / ${String(now)}`);
  return say(
    `There on only one of the two days, as \`${column}\` / rows before / rows now: ${told.join(', ')}${gone.length > 6 ? ', and others' : ''}`,
    answered.id,
  );
}
