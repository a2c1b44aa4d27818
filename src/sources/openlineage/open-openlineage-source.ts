import { readFileText } from '../../core/read-file-text.ts';
import type { FileTree, Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { openFileTree } from '../file-tree.ts';
import { historyOverIndex, type RunIndex } from '../runs/run-index.ts';
import { createEventReader } from './read-events.ts';

/** Events stand in files of JSON, and in the logs of those who write them to their output. */
const FILES = /\.(json|jsonl|ndjson|log|txt)(?:\.gz)?$/i;
const LARGEST_FILE = 256 * 1024 * 1024;

/** OpenLineage event files: JSON, lists, or one event a line. @throws FileAccessError */
export async function openOpenLineageSource(spec: SourceSpec, _environment: SourceEnvironment): Promise<Source> {
  const [path = '.'] = spec.paths;
  const files = await openFileTree(path);
  let index: Promise<RunIndex> | undefined;
  const load = (): Promise<RunIndex> => {
    index ??= loadEvents(files);
    return index;
  };
  return {
    name: spec.name,
    kind: 'openlineage',
    location: path,
    files,
    runs: historyOverIndex(load),
    check: async () => {
      const { runs } = await load();
      return runs.length > 0
        ? { ok: true, summary: `${runs.length} runs` }
        : { ok: false, summary: 'no events', fix: 'name a folder of OpenLineage event files (.json, .jsonl, .ndjson, .log)' };
    },
    close: async () => {},
  };
}

async function loadEvents(files: FileTree): Promise<RunIndex> {
  const { entries, warnings: listed } = await files.list();
  const warnings: ToolWarning[] = [...listed];
  const reader = createEventReader();
  for (const entry of entries) {
    const kind = FILES.exec(entry.path)?.[1]?.toLowerCase();
    if (kind === undefined) continue;
    if (entry.bytes > LARGEST_FILE) {
      warnings.push({ code: 'file_too_large', message: `${entry.path} is larger than 256 MB and was not read` });
      continue;
    }
    const text = await readFileText(await files.resolve(entry.path)).catch(() => undefined);
    if (text === undefined) warnings.push({ code: 'broken_file', message: `${entry.path} cannot be read or unpacked and was left out` });
    // A log may hold events among its lines; most logs hold none.
    else if ((kind !== 'log' && kind !== 'txt') || text.includes('"eventTime"')) reader.addText(text);
  }
  if (reader.bad() > 0)
    warnings.push({
      code: 'bad_events',
      message: `${reader.bad()} events or lines could not be read (no run id, job name or time, or not JSON)`,
    });
  if (reader.other() > 0) warnings.push({ code: 'other_events', message: `${reader.other()} dataset or job events tell of no run` });
  return { ...reader.runs(), pools: [], totals: new Map(), warnings };
}
