import { Scope } from '../core/scope.ts';
import type { SourceKind } from '../core/source.ts';
import { bounded, type DoctorCheck } from './doctor.ts';
import type { Workspace } from './workspace.ts';

/** What to do about a source that cannot be used and does not say so itself. */
const FIX_BY_KIND: Readonly<Record<SourceKind, string>> = {
  files: 'name a folder of data files that may be read',
  logs: 'name a folder of log files that may be read',
  duckdb: 'name a .duckdb file that this DuckDB version can read and that no other process has open',
  sqlite: 'name an SQLite file that is neither encrypted nor damaged',
  postgres: 'start the server, or correct the host, port, user and password of its url',
  airflow: 'start Airflow, or correct its url and token',
  'airflow-export': 'name a folder with the JSON of dagRuns and taskInstances',
  dbt: 'name the target folder of a dbt run',
  openlineage: 'name a folder of OpenLineage event files',
};

export async function* checkSources(workspace: Workspace): AsyncIterable<DoctorCheck> {
  for (const spec of workspace.catalog.specs) {
    const name = `Source ${spec.name}`;
    yield await bounded(
      name,
      async () => {
        const source = await workspace.catalog.open(spec.name);
        const scope = new Scope();
        try {
          const { ok, summary, fix } = await source.check(scope);
          const found = `${spec.kind} ${source.location}: ${summary}`;
          if (!ok) return { name, status: 'failed', found, fix: fix ?? FIX_BY_KIND[spec.kind] };
          return { name, status: 'ok', found, ...(fix ? { fix } : {}) };
        } finally {
          scope.stop({ kind: 'cancelled', because: 'checked' });
        }
      },
      { seconds: 10, fix: FIX_BY_KIND[spec.kind] },
    );
  }
}
