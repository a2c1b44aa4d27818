import type { Play } from '../../../src/core/policy.ts';
import type { PartReport } from '../investigator/part-report.ts';
import { capital, type Reading } from '../investigator/read-data.ts';
import { askSql, nameOf, quoted } from '../investigator/tables/ask-sql.ts';
import type { LookedAt } from '../investigator/tables/look-at-tables.ts';
import type { TimeUnit } from './read-plain.ts';
import { say } from './say.ts';
import { fromOf, titleOf } from './series-looked.ts';
import type { Filter } from './target-table.ts';

const SHOWN = 8;
const MOST_TIMES = 31;
const MOST_GROUPS = 400;

interface Grouped {
  readonly group: Reading;
  readonly unit?: TimeUnit;
  readonly sql: string;
  readonly filter: Filter | undefined;
  readonly says: string;
  readonly order?: 'ASC' | 'DESC';
}

const LENGTH = { hour: 13, day: 10, month: 7, year: 4 } as const;

/** One figure of each value of a column, or of each hour, day, month or year. */
export async function groupFigures(
  play: Play,
  looked: LookedAt,
  { group, unit, sql, filter, says, order }: Grouped,
): Promise<PartReport | undefined> {
  const { table } = looked;
  const name = quoted(nameOf(group));
  const length = unit ? LENGTH[unit] : undefined;
  const key = length === undefined ? name : `SUBSTR(CAST(${name} AS VARCHAR), 1, ${length})`;
  const text = `SELECT ${key} AS ${name}, ${sql} FROM ${fromOf(looked)}${filter ? ` WHERE ${filter.where}` : ''} GROUP BY 1 ORDER BY ${unit && order === undefined ? '1' : `2 ${order ?? 'DESC'}, 1`} LIMIT ${MOST_GROUPS}`;
  const answered = await askSql(play, table.source, text, MOST_GROUPS);
  const title = titleOf(looked);
  const [first, ...more] = (answered?.rows ?? []).map(([value, figure]) => ({
    value: value === null ? 'no value' : String(value),
    figure: trimmed(figure),
  }));
  if (!answered || !first) return undefined;
  const rows = [first, ...more].map(({ value, figure }) => `${value} / ${figure}`);
  const limited = filter ? ` ${filter.says}` : '';
  const by = `by ${unit ? `${unit} of ` : ''}\`${nameOf(group)}\``;
  if (order === undefined) {
    const most = unit ? MOST_TIMES : SHOWN;
    const told = rows.slice(0, most).join(', ');
    return say(`${capital(says)} of ${title}${limited} ${by}: ${told}${rows.length > most ? ', and others' : ''}`, answered.id);
  }
  const same = more.filter(({ figure }) => figure === first.figure).length;
  const tied = same > 0 ? `, and as many ${rows.slice(1, 1 + Math.min(same, 3)).join(', ')}${same > 3 ? ', and others' : ''}` : '';
  const next = rows.slice(1 + same, 4 + same);
  const fewest = order === 'ASC' ? (says === 'rows' ? 'fewest' : 'least') : says === 'rows' ? 'most' : 'greatest';
  return say(
    `The ${fewest} ${says} of ${title} ${by}: ${rows[0]}${tied}${next.length > 0 ? `; next ${next.join(', ')}` : ''}`,
    answered.id,
  );
}

/** A figure without the zeros that a decimal of a fixed scale ends with; money keeps its two places. */
export function trimmed(value: unknown): string {
  const text = value === null ? 'no value' : String(value);
  if (!/^-?\d+\.\d{3,}$/.test(text)) return text;
  return text.replace(/(\.\d\d\d*?)0+$/, '$1').replace(/\.00$/, '');
}
