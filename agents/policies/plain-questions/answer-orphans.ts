import type { Play } from '../../../src/core/policy.ts';
import { lostRows, type Reference, references } from '../investigator/keys/references.ts';
import { mergeReports, type PartReport } from '../investigator/part-report.ts';
import type { Question } from '../investigator/question/read-question.ts';
import { enumerate, figure } from '../investigator/read-data.ts';
import { askSql, isKey, nameOf, quoted, withoutMatch } from '../investigator/tables/ask-sql.ts';
import { type ListedTable, namedTables, ownName, placeInQuestion, speaksOf } from '../investigator/tables/choose-tables.ts';
import { lookAtTables } from '../investigator/tables/look-at-tables.ts';
import { say } from './say.ts';
import type { PlainRequest } from './target-table.ts';

const EXAMPLES = 5;
const NEARLY_ALL = 0.9;
const MOST_TOLD = 4;
const MOST_TABLES = 6;

/** The rows of one table that refer to rows which another does not hold: how many, with examples. */
export async function answerOrphans(play: Play, { question, tables }: PlainRequest): Promise<PartReport | undefined> {
  const all = tables.filter((table) => namedTables(question, [table]).length > 0);
  const spoken = narrowed(question, all);
  if (spoken.length < 2) return undefined;
  const looked = await lookAtTables(play, spoken);
  const found = references(looked);
  // What is spoken of first is whose rows are asked for.
  const places = looked.map(({ table }) => placeInQuestion(question, table));
  const subjects = looked.filter((_, at) => places[at] === Math.min(...places));
  const children = found.filter(({ left, right }) => subjects.includes(left) && !subjects.includes(right));
  const parents = found.filter(({ left, right }) => subjects.includes(right) && !subjects.includes(left));
  const told =
    children.length > 0
      ? await Promise.all(children.slice(0, MOST_TOLD).map((reference) => tell(play, reference)))
      : await Promise.all(parents.slice(0, MOST_TOLD).map((reference) => tellUnused(play, reference)));
  const known = told.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : mergeReports(known);
}

/** Of tables of one name in several schemas, or in several stages of one, those whose names are said in full. */
function narrowed(question: Question, tables: readonly ListedTable[]): readonly ListedTable[] {
  const last = ({ name }: ListedTable): string => ownName(name);
  const full = tables.filter((table) => speaksOf(question, last(table)));
  const things = new Set(full.map(last));
  const inFull = things.size > 1 ? full : tables;
  const schema = ({ name }: ListedTable): string => name.split('.').slice(0, -1).join('.');
  const schemas = [...new Set(inFull.map(schema))];
  return inFull.filter((table) => schemas.indexOf(schema(table)) < Math.max(1, Math.floor(MOST_TABLES / Math.max(2, things.size))));
}

/** Rows of one table that no row of another refers to. */
async function tellUnused(play: Play, { left, right, column, key }: Reference): Promise<PartReport | undefined> {
  const unused = withoutMatch({ table: right.table.name, column: key, other: left.table.name, key: column });
  const [counted, examples] = await Promise.all([
    askSql(play, right.table.source, `SELECT COUNT(*) AS rows ${unused}`),
    askSql(play, right.table.source, `SELECT l.${quoted(key)} ${unused} ORDER BY 1 LIMIT ${EXAMPLES}`),
  ]);
  const [[rows] = []] = counted?.rows ?? [];
  if (!counted || rows === undefined) return undefined;
  const names = `rows of \`${right.table.name}\``;
  const by = `in \`${left.table.name}\` by \`${column}\``;
  if (Number(rows) === 0)
    return say(`Each of the ${figure(right.profile.rows)} ${names} has a row ${by}`, counted.id, right.profile.result);
  const told = (examples?.rows ?? []).map(([value]) => `\`${key}\` ${String(value)}`);
  const some = told.length < Number(rows) ? 'for example ' : '';
  return say(
    `${String(rows)} of ${figure(right.profile.rows)} ${names} have no row ${by}: ${some}${enumerate(told, EXAMPLES)}`,
    counted.id,
    examples?.id ?? '',
    right.profile.result,
  );
}

async function tell(play: Play, reference: Reference): Promise<PartReport | undefined> {
  const { left, right, column } = reference;
  const lost = lostRows(reference);
  // The key tells rows apart also where some of them are there twice.
  const own = left.profile.columns.find(
    (one) => isKey(one) && nameOf(one) !== column && (one.number('distinct') ?? 0) >= NEARLY_ALL * (left.profile.rows ?? 0),
  );
  const shown = own ? `l.${quoted(nameOf(own))}, l.${quoted(column)}` : `DISTINCT l.${quoted(column)}`;
  const [counted, examples] = await Promise.all([
    askSql(play, left.table.source, `SELECT COUNT(*) AS orphans, COUNT(DISTINCT l.${quoted(column)}) AS distinct_values ${lost}`),
    askSql(play, left.table.source, `SELECT ${shown} ${lost} ORDER BY 1 LIMIT ${EXAMPLES}`),
  ]);
  const [[rows, values] = []] = counted?.rows ?? [];
  if (!counted || rows === undefined) return undefined;
  const names = `\`${left.table.name}\` by \`${column}\``;
  if (Number(rows) === 0)
    return say(
      `None of the ${figure(left.profile.rows)} rows of ${names} refers to a row that \`${right.table.name}\` does not hold`,
      counted.id,
      left.profile.result,
    );
  const told = (examples?.rows ?? []).map(([one, other]) =>
    own ? `\`${nameOf(own)}\` ${String(one)} (\`${column}\` ${String(other)})` : `\`${column}\` ${String(one)}`,
  );
  const some = told.length < Number(own ? rows : values) ? 'for example ' : '';
  const empty = left.profile.columns.find((one) => nameOf(one) === column)?.number('null') ?? 0;
  const none = empty > 0 ? `; ${empty} more rows have no \`${column}\` at all` : '';
  return say(
    `${String(rows)} of ${figure(left.profile.rows)} rows of ${names} refer to ${String(values)} values that \`${right.table.name}\` does not hold: ${some}${enumerate(told, EXAMPLES)}${none}`,
    counted.id,
    examples?.id ?? '',
    left.profile.result,
  );
}
