import type { Policy } from '../../src/core/policy.ts';
import { askChildren, type ChildAnswer } from './data-quality/ask-children.ts';
import { chosenTables, concludeReport, type TableReport } from './data-quality/table-report.ts';
import type { NamedTable } from './table-profiler/examine-table.ts';
import { listTables } from './table-profiler/list-tables.ts';
import { factsOfConclusion } from './table-profiler/table-facts.ts';

/** The rules of the orchestrator: profiling and anomaly of each table, then remediation of those that have something odd. */
const leadTeam: Policy = async (play) => {
  const list = await listTables(play);
  const { chosen, left } = chosenTables(list.tables, list.left);
  const inputs = ({ table, source }: NamedTable) => ({ table, ...(source ? { source } : {}) });
  const because = 'The tables have nothing to do with one another.';
  const [profiles, anomalies] = await Promise.all([
    askChildren(
      play,
      'dq_profiling',
      chosen.map((named) => ({
        goal: `Profile the columns of the table ${named.table}.`,
        inputs: inputs(named),
        expect: 'Two lines: what the table holds, and what is odd in its columns, each figure with the id of its result.',
      })),
      because,
    ),
    askChildren(
      play,
      'dq_anomaly',
      chosen.map((named) => ({
        goal: `Look for copies and gaps in the table ${named.table}.`,
        inputs: inputs(named),
        expect: 'Two lines: how far the table was looked at, and which copies and gaps it has, each figure with the id of its result.',
      })),
      because,
    ),
  ]);
  const found = chosen.map((named, index) => merge(named, profiles[index], anomalies[index]));
  const odd = found.flatMap((report, index) => (report.facts.length > 1 ? [{ report, named: chosen[index] }] : []));
  const advice = await askChildren(
    play,
    'dq_remediation',
    odd.map(({ report, named }) => ({
      goal: `Say what can be done about the oddities of the table ${report.table} that the inputs list.`,
      inputs: { ...(named ? inputs(named) : {}), oddities: report.facts.slice(1) },
      expect: 'One line for each oddity that can be put right.',
    })),
    because,
  );
  const advised = new Map(odd.map(({ report }, index) => [report.table, advice[index]]));
  return concludeReport(
    play,
    found.map((report) => withAdvice(report, advised.get(report.table))),
    { ...list, left },
  );
};

function merge({ table }: NamedTable, profile: ChildAnswer | undefined, anomaly: ChildAnswer | undefined): TableReport {
  const gaps = [profile?.gap, anomaly?.gap].filter((gap) => gap !== undefined);
  return {
    table,
    // The first line of the second says only what was looked at.
    facts: [...factsOfConclusion(profile?.text ?? ''), ...factsOfConclusion(anomaly?.text ?? '').slice(1)],
    evidence: [...new Set([...(profile?.evidence ?? []), ...(anomaly?.evidence ?? [])])],
    remedies: [],
    ...(gaps.length > 0 ? { gap: [...new Set(gaps)].join(', ') } : {}),
  };
}

function withAdvice(report: TableReport, advice: ChildAnswer | undefined): TableReport {
  const remedies = advice?.text.split('\n').filter((line) => line !== '') ?? [];
  return { ...report, remedies, ...(advice?.gap === undefined ? {} : { gap: `no advice: ${advice.gap}` }) };
}

export default leadTeam;
