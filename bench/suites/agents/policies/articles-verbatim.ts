import type { Policy } from 'soloist';
import { askReaders } from './parts/ask-readers.ts';

/** Each conclusion goes into the answer word for word. */
const passOn: Policy = async (play) => (await askReaders(play)).map(({ id }) => `[[${id}]]`).join('\n');

export default passOn;
