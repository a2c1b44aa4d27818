import type { Policy } from 'soloist';
import { answerOf, examineTables, listTables } from './parts/examine-tables.ts';

/** All tables in one window, four a turn. */
const profileAlone: Policy = async (play) => {
  const { id, total, tables } = await listTables(play, { limit: 500 });
  return answerOf(total, id, await examineTables(play, tables));
};

export default profileAlone;
