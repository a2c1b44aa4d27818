import type { Policy } from 'soloist';
import { answerOf, examineTables, listTables } from './parts/examine-tables.ts';

/** One page of the list of tables. */
const profileSlice: Policy = async (play) => {
  const { offset = 0, limit = 500 } = (play.task.inputs ?? {}) as { readonly offset?: number; readonly limit?: number };
  const { id, tables } = await listTables(play, { offset, limit });
  return answerOf(tables.length, id, await examineTables(play, tables));
};

export default profileSlice;
