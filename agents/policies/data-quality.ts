import type { Play, Policy } from '../../src/core/policy.ts';
import { chosenTables, concludeReport, type TableReport } from './data-quality/table-report.ts';
import { examineTable, type NamedTable } from './table-profiler/examine-table.ts';
import { listTables } from './table-profiler/list-tables.ts';
import { plainFacts } from './table-profiler/table-facts.ts';

/** Tables looked at in one turn. */
const AT_ONCE = 8;

/** The rules of one agent with the tools itself: several tables per turn, every result in its own window. */
const checkTables: Policy = async (play) => {
  const list = await listTables(play);
  const { chosen, left } = chosenTables(list.tables, list.left);
  const reports: TableReport[] = [];
  for (let start = 0; start < chosen.length; start += AT_ONCE) {
    const turn = chosen.slice(start, start + AT_ONCE);
    reports.push(...(await Promise.all(turn.map((named) => reportOn(play, named)))));
  }
  return concludeReport(play, reports, { ...list, left });
};

async function reportOn(play: Play, named: NamedTable): Promise<TableReport> {
  const found = await examineTable(play, named);
  const unread = [...found.failed, ...found.unread];
  return {
    table: named.table,
    facts: found.failed.length > 0 && found.odd.length === 0 ? [] : plainFacts({ ...found, failed: [], unread: [] }),
    evidence: [...new Set([found.summary, ...found.odd].flatMap(({ evidence }) => evidence))].filter((id) => id !== ''),
    remedies: found.odd.flatMap(({ remedy }) => remedy ?? []),
    ...(unread.length > 0 ? { gap: unread.join(', ') } : {}),
  };
}

export default checkTables;
