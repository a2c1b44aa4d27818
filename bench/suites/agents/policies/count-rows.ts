import type { Policy } from 'soloist';
import { answerFrom, askedTable, statementFor } from './parts/count-rows.ts';

const countRows: Policy = async (play) => {
  await play.call('list_tables', {});
  await play.call('describe_table', { table: askedTable(play.task.goal) });
  return answerFrom(play, statementFor(play.task.goal));
};

export default countRows;
