import { parseLenientJson } from '../../core/lenient-json.ts';
import { readFileText } from '../../core/read-file-text.ts';
import type { FileTree, Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { openFileTree } from '../file-tree.ts';
import { historyOverIndex, type RunIndex } from '../runs/run-index.ts';
import { createEntryCollector } from './collect-entries.ts';

const LARGEST_FILE = 256 * 1024 * 1024;

/** A folder of JSON that Airflow's API answered, saved to files in pages under any names. @throws FileAccessError */
export async function openAirflowExportSource(spec: SourceSpec, _environment: SourceEnvironment): Promise<Source> {
  const [path = '.'] = spec.paths;
  const files = await openFileTree(path);
  let index: Promise<RunIndex> | undefined;
  const load = (): Promise<RunIndex> => {
    index ??= loadExport(files);
    return index;
  };
  return {
    name: spec.name,
    kind: 'airflow-export',
    location: path,
    files,
    runs: historyOverIndex(load),
    check: async () => {
      const { runs, tries } = await load();
      const summary = `${runs.length} runs and ${tries.length} task instances`;
      return runs.length + tries.length > 0
        ? { ok: true, summary }
        : { ok: false, summary, fix: 'save the JSON of dagRuns and taskInstances into this folder' };
    },
    close: async () => {},
  };
}

async function loadExport(files: FileTree): Promise<RunIndex> {
  const { entries, warnings } = await files.list();
  const collector = createEntryCollector();
  for (const warning of warnings) collector.warn(warning);
  const others: string[] = [];
  let seen = 0;
  for (const entry of entries) {
    if (!/\.(json|jsonl|ndjson)(?:\.gz)?$/i.test(entry.path)) continue;
    seen++;
    if (entry.bytes > LARGEST_FILE) {
      collector.warn({ code: 'file_too_large', message: `${entry.path} is larger than 256 MB and was not read` });
      continue;
    }
    try {
      const text = await readFileText(await files.resolve(entry.path));
      const read = parseLenientJson(text);
      const lines = read.ok ? undefined : readLines(text);
      if (read.ok) {
        if (!collector.addPage(read.value)) others.push(entry.path);
      } else if (lines) {
        for (const page of lines.pages) collector.addPage(page);
        if (lines.broken > 0)
          collector.warn({ code: 'broken_lines', message: `${entry.path}: ${lines.broken} lines are not JSON and were left out` });
      } else
        collector.warn({
          code: 'broken_file',
          message: `${entry.path} was left out: not JSON at line ${read.line}, column ${read.column}: ${read.message}`,
        });
    } catch (error) {
      collector.warn({
        code: 'broken_file',
        message: `${entry.path} was left out: ${error instanceof Error ? error.message : 'unreadable'}`,
      });
    }
  }
  if (seen === 0 && entries.length > 0)
    collector.warn({
      code: 'no_json_files',
      message: `none of the ${entries.length} files is JSON: save what Airflow's API answers as .json`,
    });
  if (others.length > 0)
    collector.warn({
      code: 'other_files',
      message: `${others.length} JSON files hold no runs, task instances or pools: ${others.slice(0, 5).join(', ')}`,
    });
  return collector.index();
}

/** One entry or page a line; undefined where most lines are no JSON. */
function readLines(text: string): { readonly pages: readonly unknown[]; readonly broken: number } | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const pages = lines.flatMap((line) => {
    const read = parseLenientJson(line);
    return read.ok && read.value !== null && typeof read.value === 'object' ? [read.value] : [];
  });
  const broken = lines.length - pages.length;
  return pages.length > 0 && broken <= lines.length / 2 ? { pages, broken } : undefined;
}
