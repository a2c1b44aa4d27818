import type { Policy } from '../../src/core/policy.ts';
import { chooseTable, withoutTable } from './table-profiler/choose-table.ts';
import { examineTable } from './table-profiler/examine-table.ts';
import { conclusionOf } from './table-profiler/table-facts.ts';

/** The rules of the team's finder of anomalies: copies and gaps. It needs the profile too, to know where gaps can be. */
const findAnomalies: Policy = async (play) => {
  const named = await chooseTable(play);
  if (!named) return withoutTable(play);
  const found = await examineTable(play, named);
  // What the profile shows is told by the team's profiler.
  return conclusionOf({ ...found, odd: found.odd.filter(({ about }) => about !== 'column') });
};

export default findAnomalies;
