import { meaningsOf } from './label-words.ts';
import type { NumberMention } from './mention.ts';

/** What results count. */
export const COUNTED: ReadonlySet<string> = new Set(
  'row task run slot order file table line column error fail attempt partition copy customer event duplicate key group pool store product payment user job node model test warn source version record'.split(
    ' ',
  ),
);

/** "6494 rows": said of things that are counted. */
export function isCounting({ noun, unit }: NumberMention): boolean {
  return unit === undefined && noun !== undefined && meaningsOf(noun.toLowerCase()).some((word) => COUNTED.has(word));
}
