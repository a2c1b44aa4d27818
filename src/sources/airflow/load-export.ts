import { readFile } from 'node:fs/promises';
import { parseLenientJson } from '../../core/lenient-json.ts';
import type { FileEntry, FileTree } from '../../core/source.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { RunIndex } from '../memory-run-history.ts';
import { buildRunIndex } from './build-run-index.ts';
import { EntryCollection } from './collect-entries.ts';
import { readPages } from './read-page.ts';

const LARGEST_FILE = 256 * 1024 * 1024;
const MOST_ENTRIES = 1_000_000;

/** Reads every JSON file of an export, one at a time; what is no page of runs, tasks or pools becomes a warning. */
export async function loadExport(files: FileTree): Promise<RunIndex> {
  const { entries, warnings: listing } = await files.list();
  const collection = new EntryCollection();
  const warnings: ToolWarning[] = [...listing];
  const strangers: string[] = [];
  let unread = 0;
  for (const file of entries) {
    if (!/\.json$/i.test(file.path)) continue;
    const fault = await addFile(files, file, collection);
    if (fault === 'no_pages') strangers.push(file.path);
    else if (fault) {
      unread++;
      if (unread <= 10) warnings.push(fault);
    }
  }
  if (unread > 10) warnings.push({ code: 'unreadable_file', message: `${unread - 10} more files could not be read` });
  if (strangers.length > 0)
    warnings.push({
      code: 'other_json',
      message: `${strangers.length} JSON files hold no dag runs, task instances or pools: ${strangers.slice(0, 3).join(', ')}`,
    });
  return buildRunIndex(collection, warnings);
}

async function addFile(files: FileTree, file: FileEntry, collection: EntryCollection): Promise<ToolWarning | 'no_pages' | undefined> {
  const fault = (code: string, why: string): ToolWarning => ({ code, message: `${file.path}: ${why}` });
  if (file.bytes > LARGEST_FILE) return fault('file_too_large', `${file.bytes} bytes are more than ${LARGEST_FILE}; not read`);
  if (collection.tries.size > MOST_ENTRIES) return fault('too_many_entries', `not read: ${MOST_ENTRIES} task instances were read already`);
  let text: string;
  try {
    text = await readFile(await files.resolve(file.path), 'utf8');
  } catch (error) {
    return fault('unreadable_file', (error as NodeJS.ErrnoException).code ?? 'cannot be read');
  }
  const parsed = parseLenientJson(text);
  if (!parsed.ok) return fault('broken_json', `line ${parsed.line}, column ${parsed.column}: ${parsed.message}; not read`);
  const pages = readPages(parsed.value);
  for (const page of pages) collection.add(page);
  return pages.length === 0 ? 'no_pages' : undefined;
}
