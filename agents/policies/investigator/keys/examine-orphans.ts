import type { Play } from '../../../../src/core/policy.ts';
import { onlyGroup } from '../groups/only-group.ts';
import { callIfOffered, type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { figure, read } from '../read-data.ts';
import { askSql, dayOf, isGrouping, isKey, isNumber, listRows, nameOf, quoted, sumOf, withoutMatch } from '../tables/ask-sql.ts';
import { emptySince } from '../tables/examine-empties.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { matchInOtherForm } from './key-forms.ts';
import { type Reference, references } from './references.ts';

const MOST_REFERENCES = 8;
const MOST_GROUPS = 30;

/** Rows that refer to a row of another table that is not there: a join leaves them out. */
export async function examineOrphans(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const reports = await Promise.all(
    references(looked)
      .slice(0, MOST_REFERENCES)
      .map((reference) => examineReference(play, reference)),
  );
  return mergeReports(reports);
}

async function examineReference(play: Play, reference: Reference): Promise<PartReport> {
  const { left, right, column, key } = reference;
  const joined = await callIfOffered(play, 'join_multiplicity', {
    left: left.table.name,
    left_source: left.table.source,
    right: right.table.name,
    right_source: right.table.source,
    on: [column === key ? column : `${column}=${key}`],
  });
  if (!usable(joined)) return NOTHING;
  const data = read(joined.data);
  const lost = data.at('left_rows_with').number('no_match') ?? 0;
  const empty = data.at('left').number('null_key_rows') ?? 0;
  const evidence = [joined.id];
  if (lost <= 0) {
    const claim = `Rows of \`${left.table.name}\` whose \`${column}\` is not in \`${right.table.name}\`: none.`;
    return { ...NOTHING, findings: [{ kind: 'ruled_out', claim, evidence, confidence: 'high' }] };
  }
  const form = await matchInOtherForm(play, reference);
  // Tables that share no row do not refer to one another, unless they would but for how it is written; nor do those that
  // share few, where no name says so.
  const matched = data.at('left_rows_with').number('one_match') ?? 0;
  if ((matched === 0 || (!reference.named && matched < lost - empty)) && form === undefined) return NOTHING;
  const told = await tellLost(play, reference);
  const own = left.profile.columns.find((one) => nameOf(one) === column);
  const since = empty > 0 && own ? await emptySince(play, left, own) : undefined;
  const without =
    empty > 0 ? `${lost === empty ? ', as they have none at all' : `, of which ${empty} have none at all`}${since?.says ?? ''}` : '';
  const claim = `${lost} of ${figure(left.profile.rows)} rows of \`${left.table.name}\` have no match in \`${right.table.name}\` by \`${column}\`${without}${lost > empty ? (told?.range ?? '') : ''}${form?.says ?? ''}${told?.worth ?? ''}; an inner join leaves these rows out`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [...evidence, ...(since?.ids ?? []), ...(told?.ids ?? []), ...(form ? [form.id] : [])],
    confidence: 'high',
    refuted_by: `rows of \`${right.table.name}\` that were loaded after this look`,
  };
  return tell(finding);
}

/** Which values have no match, since when, and what their rows are worth. */
async function tellLost(play: Play, { left, right, column, key }: Reference) {
  const { happened, profile, table } = left;
  const amounts = profile.columns.filter((one) => isNumber(one) && !isKey(one)).slice(0, 3);
  const sums = amounts.map((one) => `, ${sumOf(one, 'l.')}`).join('');
  const days = happened ? `, MIN(${dayOf(happened, 'l.')}) AS first_day, MAX(${dayOf(happened, 'l.')}) AS last_day` : '';
  const lost = withoutMatch({ table: table.name, column, other: right.table.name, key });
  const groups = profile.columns.filter((one) => isGrouping(one, MOST_GROUPS) && nameOf(one) !== column && one !== happened).slice(0, 3);
  const [lone, told, values] = await Promise.all([
    onlyGroup(play, { source: table.source, rows: `${lost} AND l.${quoted(column)} IS NOT NULL`, columns: groups }),
    askSql(
      play,
      table.source,
      `SELECT COUNT(DISTINCT l.${quoted(column)}) AS distinct_values, MIN(l.${quoted(column)}), MAX(l.${quoted(column)})${days}${sums} ${lost}`,
    ),
    askSql(
      play,
      table.source,
      `SELECT l.${quoted(column)}, COUNT(*) AS rows ${lost} AND l.${quoted(column)} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5`,
    ),
  ]);
  const [row] = told?.rows ?? [];
  if (!told || !row) return undefined;
  const [first, last] = happened ? [String(row[3]), String(row[4])] : [undefined, undefined];
  const when = first === undefined ? '' : `, first_day ${first}, last_day ${last}`;
  const few = Number(row[0]) <= 5 && values && values.rows.length > 0;
  const list = few
    ? `: as \`${column}\` / rows: ${listRows(values.rows)}`
    : `: ${String(row[0])} values, from ${String(row[1])} to ${String(row[2])}`;
  const from = happened ? 5 : 3;
  const worth = amounts.map((one, place) => `; their \`${nameOf(one)}\` comes to ${String(row[from + place])}`).join('');
  const whose = lone ? `, all of them with ${lone.says}` : '';
  return { ids: idsOf(few ? values : undefined, told, ...(lone?.results ?? [])), range: `${list}${when}${whose}`, worth };
}
