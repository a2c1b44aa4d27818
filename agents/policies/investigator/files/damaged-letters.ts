import type { Play } from '../../../../src/core/policy.ts';
import { idsOf, NOTHING, type PartReport, tell } from '../part-report.ts';
import type { Reading } from '../read-data.ts';
import { askSql, dayOf, listRows, nameOf, quoted } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';

/** What letters of UTF-8 look like when their bytes were read as Latin-1; a lone `Ã` is a letter of its own. */
const DAMAGED = [...'¤¶¼Ÿ©¨¡\u00ad³º±§ª´¢£¥¦¸®¯«»¹²¬µ„–œ\u0084\u0096\u009c\u009f'].map((second) => `Ã${second}`).concat('â€', '\uFFFD');
const SHOWN = 4;

/** Rows in which letters of a text column are damaged, and since when. */
export async function damagedLetters(play: Play, { table, happened }: LookedAt, column: Reading): Promise<PartReport> {
  const value = quoted(nameOf(column));
  const rows = `FROM ${quoted(table.name)} WHERE (${DAMAGED.map((letters) => `${value} LIKE '%${letters}%'`).join(' OR ')})`;
  const days = happened ? `, MIN(${dayOf(happened)}) AS first_day, MAX(${dayOf(happened)}) AS last_day` : '';
  const [counted, shown] = await Promise.all([
    askSql(play, table.source, `SELECT COUNT(*) AS rows_damaged${days} ${rows}`),
    askSql(play, table.source, `SELECT ${value}, COUNT(*) AS rows ${rows} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${SHOWN}`),
  ]);
  const [[count, first, last] = []] = counted?.rows ?? [];
  if (!counted || Number(count ?? 0) === 0) return NOTHING;
  const when = happened ? `, first_day ${String(first)}, last_day ${String(last)}` : '';
  const claim = `\`${nameOf(column)}\` of \`${table.name}\` holds damaged letters in ${String(count)} rows (rows_damaged ${String(count)})${when}: UTF-8 that was read as another encoding; as \`${nameOf(column)}\` / rows: ${listRows(shown?.rows ?? [])}`;
  return tell({
    kind: 'cause',
    claim: `${claim}.`,
    evidence: idsOf(counted, shown),
    confidence: 'high',
    refuted_by: 'a source that holds these very letters',
  });
}
