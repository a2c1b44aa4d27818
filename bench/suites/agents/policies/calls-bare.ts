import type { Policy } from 'soloist';
import { answerFrom, askedTable, statementFor } from './parts/count-rows.ts';

/**
 * What small models do, each once: a tool's name slightly off, a number in quotes, an argument by another name, a tool that does not exist.
 * Each is mended by the dispatcher, or answered with what is expected, after which the call is made rightly.
 */
const callBadly: Policy = async (play) => {
  const table = askedTable(play.task.goal);
  await play.call('listTables', { limit: '20' });
  const described = await play.call('describe_table', { name: table });
  if (described.status === 'error') await play.call('describe_table', { table });
  const guessed = await play.call('run_the_query', { statement: statementFor(play.task.goal) });
  if (guessed.status === 'error') await play.call('query_sql', { query: statementFor(play.task.goal) });
  return answerFrom(play, statementFor(play.task.goal));
};

export default callBadly;
