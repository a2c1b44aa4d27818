import type { Policy } from 'soloist';
import { answerOf, examineTables, listAllTables } from './parts/examine-tables.ts';

/** All tables in one window, four a turn. */
const profileAlone: Policy = async (play) => {
  const { id, tables } = await listAllTables(play);
  return answerOf(tables.length, id, await examineTables(play, tables));
};

export default profileAlone;
