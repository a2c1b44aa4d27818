import type { Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { openFileTree } from '../file-tree.ts';
import { createMemoryRunHistory } from '../memory-run-history.ts';
import { loadExport } from './load-export.ts';

/**
 * A folder of answers of Airflow's REST API saved as JSON files, whatever their names. They are read at first use and
 * kept until the source is closed.
 *
 * @throws FileAccessError when the path is missing or unreadable.
 */
export async function openAirflowExportSource(spec: SourceSpec, _environment: SourceEnvironment): Promise<Source> {
  const [path = ''] = spec.paths;
  const files = await openFileTree(path);
  const runs = createMemoryRunHistory(() => loadExport(files));
  return {
    name: spec.name,
    kind: 'airflow-export',
    location: path,
    files,
    runs,
    async check() {
      const index = await runs.index();
      const tries = index.runs.reduce((sum, entry) => sum + entry.tries.length, 0);
      const summary = `${index.runs.length} runs, ${tries} task tries, ${index.pools.length} pools, ${index.warnings.length} warnings`;
      if (index.runs.length > 0) return { ok: true, summary };
      return { ok: false, summary, fix: `save answers of /api/v2/dags/~/dagRuns and …/taskInstances as .json files below ${path}` };
    },
    async close() {},
  };
}
