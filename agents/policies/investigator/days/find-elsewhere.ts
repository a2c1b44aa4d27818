import type { Play } from '../../../../src/core/policy.ts';
import { seriesName } from '../files/series-of.ts';
import { callIfOffered, type Finding, idsOf, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { read } from '../read-data.ts';
import { askSql, listRows, quoted, withoutMatch } from '../tables/ask-sql.ts';
import type { ListedTable } from '../tables/choose-tables.ts';
import type { ProfiledTable } from '../tables/describe-profile.ts';

export interface MissingRows {
  readonly all: readonly ListedTable[];
  readonly whole: ProfiledTable;
  readonly part: ProfiledTable;
  readonly key: string;
  readonly source: string;
}

const MOST_TABLES = 4;
const REASON = /reason|error|message|why|rule|cause|status|code/i;

/** Whether a third table holds the rows that one lacks of another: set aside, quarantined, archived, with the reason it names. */
export async function findElsewhere(play: Play, { all, whole, part, key, source }: MissingRows): Promise<PartReport> {
  const taken = new Set([whole.table, part.table].map((name) => seriesName({ source, name })));
  const others = all.filter((table) => table.source === source && !taken.has(seriesName(table))).slice(0, MOST_TABLES);
  const reports = await Promise.all(
    others.map(async (table): Promise<PartReport> => {
      const described = await callIfOffered(play, 'describe_table', { table: table.name, source });
      const columns = usable(described)
        ? read(described.data)
            .list('columns')
            .map((column) => column.text('name') ?? '')
        : [];
      if (!columns.includes(key)) return NOTHING;
      const lacking = withoutMatch({ table: whole.table, column: key, other: part.table, key });
      const held = `FROM ${quoted(table.name)} q WHERE q.${quoted(key)} IN (SELECT l.${quoted(key)} ${lacking})`;
      const reason = columns.find((name) => REASON.test(name) && !whole.columns.some((column) => column.text('name') === name));
      const [counted, reasons] = await Promise.all([
        askSql(play, source, `SELECT COUNT(DISTINCT q.${quoted(key)}) AS rows_found ${held}`),
        reason
          ? askSql(play, source, `SELECT q.${quoted(reason)}, COUNT(*) AS rows ${held} GROUP BY 1 ORDER BY 2 DESC LIMIT 5`)
          : undefined,
      ]);
      const [[rows] = []] = counted?.rows ?? [];
      if (!counted || Number(rows ?? 0) === 0) return NOTHING;
      // A table of everything, such as one more copy of the source, says nothing of where the rows went.
      const own = await askSql(play, source, `SELECT COUNT(*) AS rows FROM ${quoted(table.name)}`);
      if (!own || Number(own.rows[0]?.[0]) > Number(rows) * 2) return NOTHING;
      const why = reasons && reasons.rows.length > 0 ? `, by \`${reason}\` / rows: ${listRows(reasons.rows)}` : '';
      const claim = `${String(rows)} of the missing rows stand in \`${table.name}\` (rows_found ${String(rows)})${why}: they were set aside there and not lost`;
      const finding: Finding = {
        kind: 'cause',
        claim: `${claim}.`,
        evidence: idsOf(counted, reasons),
        confidence: 'high',
        refuted_by: `a load that takes the rows of \`${table.name}\` in`,
      };
      return tell(finding);
    }),
  );
  return mergeReports(reports);
}
