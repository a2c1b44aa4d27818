import { checkDependencies } from './doctor-dependencies.ts';
import { checkModels } from './doctor-models.ts';
import { checkSources } from './doctor-sources.ts';
import { checkStore } from './doctor-store.ts';
import type { Workspace } from './workspace.ts';

/** One thing looked at, what was found, and what to do about it. */
export interface DoctorCheck {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly found: string;
  readonly fix?: string;
}

/** Looks at everything a run needs, one after the other; each check is bounded in time and none throws. */
export async function* runDoctor(workspace: Workspace): AsyncIterable<DoctorCheck> {
  yield* checkDependencies();
  yield await checkStore(workspace);
  yield* checkSources(workspace);
  yield* checkModels(workspace);
}

/** The answer of `work`, or a failed check when it throws or does not come within `seconds`. */
export async function bounded(name: string, work: () => Promise<DoctorCheck>, seconds = 5): Promise<DoctorCheck> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DoctorCheck>((resolve) => {
    timer = setTimeout(() => resolve({ name, status: 'failed', found: `no answer within ${seconds} s` }), seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    const fix = (error as { fix?: string }).fix;
    return { name, status: 'failed', found: error instanceof Error ? error.message : String(error), ...(fix ? { fix } : {}) };
  } finally {
    clearTimeout(timer);
  }
}
