import type { Play } from '../../../src/core/policy.ts';
import { lostRows, type Reference, references } from '../investigator/keys/references.ts';
import { callIfOffered, mergeReports, type PartReport, usable } from '../investigator/part-report.ts';
import { enumerate, figure, read } from '../investigator/read-data.ts';
import { askSql, isKey, listRows, nameOf, quoted } from '../investigator/tables/ask-sql.ts';
import { namedTables } from '../investigator/tables/choose-tables.ts';
import { type LookedAt, lookAtTables } from '../investigator/tables/look-at-tables.ts';
import { say } from './say.ts';
import { type PlainRequest, spokenColumns } from './target-table.ts';

const MOST_TABLES = 16;

/** Every reference from one table to another, with how many rows refer to what is not there. */
export async function answerIntegrity(play: Play, { question, tables }: PlainRequest): Promise<PartReport | undefined> {
  const named = namedTables(question, tables);
  const wanted = (named.length > 1 ? named : tables).slice(0, MOST_TABLES);
  const looked = await lookAtTables(play, wanted, MOST_TABLES);
  const found = references(looked).filter(({ named: isNamed }) => isNamed);
  const left = (named.length > 1 ? named : tables).length - wanted.length;
  const rest = left > 0 ? [say('Further tables were not looked at', '')] : [];
  if (found.length === 0)
    return mergeReports([
      say(
        `In ${enumerate(
          looked.map(({ table }) => `\`${table.name}\``),
          8,
        )} no column refers by its name to the key of another (such as \`customer_id\` to \`customers\`): there is no reference to check`,
        ...looked.slice(0, 4).map(({ profile }) => profile.result),
      ),
      ...rest,
    ]);
  const checked = await Promise.all(found.map((reference) => countOrphans(play, reference)));
  const known = checked.filter((one) => one !== undefined);
  const broken = known.filter(({ orphans }) => orphans > 0);
  const whole = known.filter(({ orphans }) => orphans === 0);
  const head =
    broken.length === 0
      ? 'Referential integrity holds: no reference from one table to another, as their names tell them, has an orphan'
      : `Referential integrity is broken: ${broken.map(({ text }) => text).join('; ')}`;
  const sound = whole.map(({ reference }) => nameReference(reference));
  return mergeReports([
    say(head, ...(broken.length > 0 ? broken : known).flatMap(({ id, profile }) => [id, profile]).slice(0, 16)),
    ...(sound.length > 0 ? [say(`Without an orphan: ${enumerate(sound, 12)}`, ...whole.map(({ id }) => id).slice(0, 12))] : []),
    ...rest,
  ]);
}

async function countOrphans(play: Play, reference: Reference) {
  const { left, column } = reference;
  const answered = await askSql(
    play,
    left.table.source,
    `SELECT COUNT(*) AS orphans, COUNT(DISTINCT l.${quoted(column)}) AS distinct_values, MIN(l.${quoted(column)}) AS ${quoted(column)} ${lostRows(reference)}`,
  );
  const [[orphans, values, example] = []] = answered?.rows ?? [];
  if (!answered || orphans === undefined) return undefined;
  const text = `${String(orphans)} of ${figure(left.profile.rows)} rows of ${nameReference(reference)} refer to ${String(values)} values that are not there (such as \`${column}\` ${String(example)})`;
  return { reference, orphans: Number(orphans), text, id: answered.id, profile: left.profile.result };
}

function nameReference({ left, right, column, key }: Reference): string {
  return `\`${left.table.name}\`.\`${column}\` to \`${right.table.name}\`.\`${key}\``;
}

/** Whether the rows of a table, or the values of a column, are single. */
export async function answerUnique(play: Play, { question, tables }: PlainRequest): Promise<PartReport | undefined> {
  const named = namedTables(question, tables);
  const looked = await lookAtTables(play, named.length > 0 ? named : tables);
  const spoken = looked.flatMap((one) => spokenColumns(question, one).map((column) => ({ one, column })));
  if (spoken.length > 0) {
    const told = await Promise.all(spoken.slice(0, 4).map(({ one, column }) => tellColumn(play, one, nameOf(column))));
    return mergeReports(told.filter((part) => part !== undefined));
  }
  if (named.length === 0) return undefined;
  const told = await Promise.all(looked.slice(0, 4).map((one) => tellTable(play, one)));
  const known = told.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : mergeReports(known);
}

async function tellColumn(play: Play, { table, profile }: LookedAt, column: string): Promise<PartReport | undefined> {
  const name = quoted(column);
  const [counted, twice] = await Promise.all([
    askSql(play, table.source, `SELECT COUNT(${name}) AS filled, COUNT(DISTINCT ${name}) AS distinct_values FROM ${quoted(table.name)}`),
    askSql(
      play,
      table.source,
      `SELECT ${name}, COUNT(*) AS rows FROM ${quoted(table.name)} WHERE ${name} IS NOT NULL GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY 2 DESC, 1 LIMIT 3`,
    ),
  ]);
  const [[filled, distinct] = []] = counted?.rows ?? [];
  if (!counted || filled === undefined) return undefined;
  const empty = profile.columns.find((one) => nameOf(one) === column)?.number('null') ?? 0;
  const without = empty > 0 ? `; ${empty} more rows have none` : '';
  if (filled === distinct)
    return say(
      `\`${column}\` of \`${table.name}\` is unique: ${String(distinct)} distinct values in ${String(filled)} rows${without}`,
      counted.id,
    );
  return say(
    `\`${column}\` of \`${table.name}\` is not unique: ${String(distinct)} distinct values in ${String(filled)} rows${without}; as \`${column}\` / rows: ${listRows(twice?.rows ?? [])}`,
    counted.id,
    twice?.id ?? '',
  );
}

async function tellTable(play: Play, one: LookedAt): Promise<PartReport | undefined> {
  const { table, profile } = one;
  const own = profile.columns.find((column) => isKey(column));
  const result = await callIfOffered(play, 'find_duplicates', { table: table.name, source: table.source });
  if (!usable(result)) return undefined;
  const data = read(result.data);
  const copies = (data.number('exact_copies') ?? 0) + (data.number('reload_copies') ?? 0);
  const key = enumerate(data.texts('key').map((name) => `\`${name}\``));
  const rows = `${figure(data.number('rows'))} rows and ${figure(data.number('distinct_keys'))} distinct values of ${key}`;
  const head =
    copies === 0 && data.number('rows') === data.number('distinct_keys')
      ? say(`The rows of \`${table.name}\` are unique by ${key}: ${rows}`, result.id)
      : say(`The rows of \`${table.name}\` are not unique: ${rows}; ${copies} rows are copies of another`, result.id);
  const other = own && !data.texts('key').includes(nameOf(own)) ? await tellColumn(play, one, nameOf(own)) : undefined;
  return mergeReports([head, ...(other ? [other] : [])]);
}
