import type { Policy } from '../../src/core/policy.ts';
import { chooseTable, withoutTable } from './table-profiler/choose-table.ts';
import { examineTable } from './table-profiler/examine-table.ts';

/** The rules of the team's adviser: it sees nothing of the others' results, so it looks again before it advises. */
const adviseRemedies: Policy = async (play) => {
  const named = await chooseTable(play);
  if (!named) return withoutTable(play);
  const { odd } = await examineTable(play, named);
  const lines = odd.flatMap(({ remedy }) => remedy ?? []);
  return lines.length > 0 ? lines.join('\n') : `Nothing has to be done about \`${named.table}\`.`;
};

export default adviseRemedies;
