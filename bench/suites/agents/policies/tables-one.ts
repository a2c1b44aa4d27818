import type { Policy } from 'soloist';
import { examineTables } from './parts/examine-tables.ts';

const profileOne: Policy = async (play) => {
  const { table = '', source = '' } = (play.task.inputs ?? {}) as { readonly table?: string; readonly source?: string };
  const odd = await examineTables(play, [{ name: table, source }]);
  return odd.length === 0 ? `Nothing odd in \`${table}\`.` : `Odd: ${odd.join('; ')}.`;
};

export default profileOne;
