import { z } from 'zod';
import { defineTool } from '../../src/core/tool.ts';
import { complete, partial, refused } from '../../src/core/tool-result.ts';

const MOST_CHARACTERS = 7000;

/** Reads on in a result that was too large for the window. */
export const readBlob = defineTool({
  name: 'read_blob',
  description:
    'Reads part of a large result by the "reference" it was given. With "path" (e.g. "data.rows") it returns whole items of that list from "offset" on; without, a slice of the text.',
  input: z.object({
    reference: z.string().min(8).describe('The reference of the result'),
    path: z.string().optional().describe('Where in the result: names joined by dots'),
    offset: z.number().int().min(0).default(0).describe('First item (with path to a list) or first character'),
    limit: z.number().int().min(1).max(1000).default(100).describe('Most items'),
  }),
  output: z.object({ path: z.string(), offset: z.number(), items: z.array(z.unknown()).optional(), text: z.string().optional() }),
  effect: 'read',
  async run(input, context) {
    const whole = context.readReference(input.reference);
    if (whole === undefined) return refused('unknown_reference', `there is no stored result "${input.reference}" in this run`);
    const found = input.path ? follow(JSON.parse(whole), input.path) : whole;
    if (found === undefined) return refused('unknown_path', `the result has no "${input.path}"; paths look like data.rows`);
    return Array.isArray(found) ? listSlice(found, input) : textSlice(typeof found === 'string' ? found : JSON.stringify(found), input);
  },
});

interface Slice {
  readonly path?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

function follow(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (at !== null && typeof at === 'object' ? (at as Record<string, unknown>)[name] : undefined), value);
}

function listSlice(list: readonly unknown[], { path = '', offset, limit }: Slice) {
  const items: unknown[] = [];
  let size = 0;
  for (const item of list.slice(offset, offset + limit)) {
    size += JSON.stringify(item).length + 1;
    if (size > MOST_CHARACTERS && items.length > 0) break;
    items.push(item);
  }
  const extra = { total: list.length, returned: items.length };
  return offset + items.length < list.length ? partial({ path, offset, items }, extra) : complete({ path, offset, items }, extra);
}

function textSlice(text: string, { path = '', offset }: Slice) {
  const slice = text.slice(offset, offset + MOST_CHARACTERS);
  const extra = { total: text.length, returned: slice.length };
  return offset + slice.length < text.length
    ? partial({ path, offset, text: slice }, extra)
    : complete({ path, offset, text: slice }, extra);
}
