import type { Policy } from '../../src/core/policy.ts';
import { chooseTable, withoutTable } from './table-profiler/choose-table.ts';
import { examineTable } from './table-profiler/examine-table.ts';
import { conclusionOf } from './table-profiler/table-facts.ts';

/** The rules of the team's profiler: it has but the profile. */
const profileColumns: Policy = async (play) => {
  const named = await chooseTable(play);
  return named ? conclusionOf(await examineTable(play, named)) : withoutTable(play);
};

export default profileColumns;
