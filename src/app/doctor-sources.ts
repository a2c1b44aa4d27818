import { Scope } from '../core/scope.ts';
import { bounded, type DoctorCheck } from './doctor.ts';
import type { Workspace } from './workspace.ts';

export async function* checkSources(workspace: Workspace): AsyncIterable<DoctorCheck> {
  const { specs } = workspace.catalog;
  if (specs.length === 0)
    yield {
      name: 'Sources',
      status: 'warning',
      found: 'none',
      fix: 'add some under `sources` in soloist.yaml, or with --source NAME=KIND:PATH',
    };
  for (const spec of specs) {
    const name = `Source ${spec.name}`;
    yield await bounded(
      name,
      async () => {
        const source = await workspace.catalog.open(spec.name);
        const scope = new Scope();
        const { ok, summary, fix } = await source.check(scope);
        scope.stop({ kind: 'cancelled', because: 'checked' });
        return { name, status: ok ? 'ok' : 'failed', found: `${spec.kind} ${source.location}: ${summary}`, ...(fix ? { fix } : {}) };
      },
      10,
    );
  }
}
