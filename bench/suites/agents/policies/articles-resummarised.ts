import type { Policy } from 'soloist';
import { askReaders } from './parts/ask-readers.ts';

/** Each conclusion is put into fewer words: of its sentences only the first stays. A stated rule, not a model's choice. */
const putShortly: Policy = async (play) =>
  (await askReaders(play)).map(({ text }) => text.split(/(?<=[.!?])\s+(?=[A-Z[])/)[0] ?? '').join('\n');

export default putShortly;
