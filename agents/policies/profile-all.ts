import type { Policy } from '../../src/core/policy.ts';
import { askChildren } from './data-quality/ask-children.ts';
import { chosenTables, concludeReport } from './data-quality/table-report.ts';
import { listTables } from './table-profiler/list-tables.ts';
import { factsOfConclusion } from './table-profiler/table-facts.ts';

/** The rules of the one that gives each table to a profiler of its own: only two lines of each come up. */
const profileAll: Policy = async (play) => {
  const list = await listTables(play);
  const { chosen, left } = chosenTables(list.tables, list.left);
  const tasks = chosen.map(({ table, source }) => ({
    goal: `Profile the table ${table} and say what is odd in it.`,
    inputs: { table, source },
    expect: 'Two lines: what the table holds, and what is odd, each figure with the id of its result.',
  }));
  const because = `${tasks.length} tables that have nothing to do with one another, each with a long profile and a short conclusion.`;
  const answers = await askChildren(play, 'table_profiler', tasks, because);
  const reports = answers.map(({ text, evidence, gap }, index) => ({
    table: chosen[index]?.table ?? '',
    facts: factsOfConclusion(text),
    evidence,
    remedies: [],
    ...(gap === undefined ? {} : { gap }),
  }));
  return concludeReport(play, reports, { ...list, left });
};

export default profileAll;
