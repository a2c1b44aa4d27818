import type { Policy } from '../../src/core/policy.ts';
import { chooseTable, withoutTable } from './table-profiler/choose-table.ts';
import { examineTable } from './table-profiler/examine-table.ts';
import { conclusionOf } from './table-profiler/table-facts.ts';

/** The rules of the profiler of one table: two lines, what it is and what is odd. */
const profileOne: Policy = async (play) => {
  const named = await chooseTable(play);
  return named ? conclusionOf(await examineTable(play, named)) : withoutTable(play);
};

export default profileOne;
