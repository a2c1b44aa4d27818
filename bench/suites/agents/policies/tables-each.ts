import type { Policy } from 'soloist';
import { answerOf, listAllTables } from './parts/examine-tables.ts';
import { oddIn } from './parts/lead-slices.ts';
import { askChildren } from './parts/read-result.ts';

/** One subagent for each table: the list goes out and a conclusion comes back for every table. */
const leadEach: Policy = async (play) => {
  const { id, tables } = await listAllTables(play);
  const tasks = tables.map(({ name, source }) => ({
    goal: `Profile the table ${name} and say whether it holds copied rows or placeholder words.`,
    inputs: { table: name, source },
  }));
  const because = 'The tables have nothing to do with one another.';
  const conclusions = await askChildren(play, { agent: 'tables_one', why: 'parallelism', because }, tasks);
  return answerOf(
    tables.length,
    id,
    conclusions.flatMap(({ status, text }) => (status === 'ok' ? oddIn(text) : [])),
  );
};

export default leadEach;
