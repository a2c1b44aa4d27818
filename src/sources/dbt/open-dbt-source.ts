import { open, readFile } from 'node:fs/promises';
import type { FileTree, PipelineRun, Source, TaskTry } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import { openFileTree } from '../file-tree.ts';
import { historyOverIndex, type RunIndex } from '../runs/run-index.ts';
import { joinTrees } from './join-trees.ts';
import { readRunResults } from './read-run-results.ts';

const LARGEST_FILE = 256 * 1024 * 1024;
const HEAD_BYTES = 4096;

/** One or several dbt `target` folders of successive runs; artifacts are known by their schema, not by their file's name. @throws FileAccessError */
export async function openDbtSource(spec: SourceSpec, _environment: SourceEnvironment): Promise<Source> {
  const trees = await Promise.all(spec.paths.map(openFileTree));
  const files = joinTrees(trees);
  let index: Promise<RunIndex> | undefined;
  const load = (): Promise<RunIndex> => {
    index ??= loadArtifacts(trees);
    return index;
  };
  return {
    name: spec.name,
    kind: 'dbt',
    location: spec.paths.join(', '),
    ...(files ? { files } : {}),
    runs: historyOverIndex(load),
    check: async () => {
      const { runs } = await load();
      return runs.length > 0
        ? { ok: true, summary: `${runs.length} invocations` }
        : { ok: false, summary: 'no run_results.json', fix: 'name the target folder of a dbt run' };
    },
    close: async () => {},
  };
}

interface Loading {
  readonly runs: PipelineRun[];
  readonly tries: TaskTry[];
  readonly warnings: ToolWarning[];
}

async function loadArtifacts(trees: readonly FileTree[]): Promise<RunIndex> {
  const loading: Loading = { runs: [], tries: [], warnings: [] };
  for (const tree of trees) await loadTree(tree, loading);
  return { ...loading, pools: [], totals: new Map() };
}

async function loadTree(tree: FileTree, loading: Loading): Promise<void> {
  const { entries, warnings } = await tree.list();
  loading.warnings.push(...warnings);
  const withResults = new Set<string>();
  const manifests: string[] = [];
  for (const entry of entries) {
    if (!/\.json$/i.test(entry.path)) continue;
    const kind = await artifactKind(await tree.resolve(entry.path), entry.path);
    if (kind === 'manifest') manifests.push(entry.path);
    if (kind !== 'run-results') continue;
    withResults.add(folderOf(entry.path));
    if (entry.bytes > LARGEST_FILE)
      loading.warnings.push({ code: 'file_too_large', message: `${entry.path} is larger than 256 MB and was not read` });
    else await loadResults(tree, entry.path, loading);
  }
  for (const path of manifests.filter((manifest) => /(^|\/)manifest\.json$/.test(manifest) && !withResults.has(folderOf(manifest)))) {
    loading.warnings.push({
      code: 'no_run_results',
      message: `${path} has no run_results.json beside it: the run crashed, was stopped, or failed with --fail-fast before dbt wrote its results; look at the dbt log`,
    });
  }
}

async function loadResults(tree: FileTree, path: string, loading: Loading): Promise<void> {
  try {
    const { run, tries, warnings } = readRunResults(await readFile(await tree.resolve(path), 'utf8'), { path });
    const known = loading.runs.some((one) => one.pipeline === run.pipeline && one.run_id === run.run_id);
    const runId = known ? `${run.run_id} (${path})` : run.run_id;
    loading.runs.push({ ...run, run_id: runId });
    for (const one of tries) loading.tries.push({ ...one, run_id: runId });
    loading.warnings.push(...warnings);
  } catch (error) {
    loading.warnings.push({
      code: 'broken_file',
      message: `${path} was left out: ${error instanceof Error ? error.message : 'unreadable'}`,
    });
  }
}

/** By the schema that stands near the beginning; older files without one are known by their usual name. */
async function artifactKind(absolute: string, path: string): Promise<'run-results' | 'manifest' | undefined> {
  const handle = await open(absolute, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    if (/dbt\/run-results\//.test(head) || /(^|\/)run_results\.json$/.test(path)) return 'run-results';
    return /dbt\/manifest\//.test(head) || /(^|\/)manifest\.json$/.test(path) ? 'manifest' : undefined;
  } finally {
    await handle.close();
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
