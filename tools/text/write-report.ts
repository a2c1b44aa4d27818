import { z } from 'zod';
import { FileAccessError } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, failed, refused } from '../../src/core/tool-result.ts';

const FOLDER = 'reports';
const MOST_TRIES = 100;

/** Writes Markdown into the project's own folder, never over what is there. */
export const writeReport = defineTool({
  name: 'write_report',
  description:
    'Writes a Markdown report into the folder reports/ of the project and returns its path. Never replaces a file: a name that is taken gets a number. Use it when asked for a document; the answer itself needs none.',
  input: z.object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'letters, digits, ".", "_" and "-"')
      .describe('File name without folder; .md is added'),
    markdown: z.string().min(1).max(200_000),
  }),
  output: z.object({ path: z.string().describe('Relative to the project'), characters: z.number() }),
  effect: 'read',
  example: { name: 'slow-night', markdown: '# The night of 17 March\n\nreload_2025 held 12 of 16 slots [r4].' },
  async run({ name, markdown }, { folder, now }) {
    if (!folder) return refused('no_folder', 'there is no project folder to write to');
    const stem = name.replace(/\.md$/i, '');
    try {
      for (let turn = 1; turn <= MOST_TRIES; turn++) {
        const path = `${FOLDER}/${stem}${turn === 1 ? '' : `-${turn}`}.md`;
        if ((await folder.read(path)) !== undefined) continue;
        await folder.write(path, markdown.endsWith('\n') ? markdown : `${markdown}\n`);
        return complete({ path, characters: markdown.length }, { asOf: now() });
      }
      return refused('name_taken', `${FOLDER}/${stem}.md to ${stem}-${MOST_TRIES}.md are all taken; choose another name`);
    } catch (error) {
      if (error instanceof FileAccessError) return failed(`file_${error.reason}`, error.message);
      throw error;
    }
  },
});
