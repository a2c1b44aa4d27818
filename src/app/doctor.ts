import type { SoloistError } from '../core/errors.ts';
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

export interface Bounds {
  readonly seconds?: number;
  /** What to do about a failure that does not say so itself. */
  readonly fix?: string;
}

/** The answer of `work`, or a failed check when it throws or does not come in time. */
export async function bounded(name: string, work: () => Promise<DoctorCheck>, { seconds = 5, fix }: Bounds = {}): Promise<DoctorCheck> {
  let timer: NodeJS.Timeout | undefined;
  const failed = (found: string, remedy: string | undefined): DoctorCheck => ({
    name,
    status: 'failed',
    found,
    ...(remedy ? { fix: remedy } : {}),
  });
  const late = new Promise<DoctorCheck>((resolve) => {
    timer = setTimeout(() => resolve(failed(`no answer within ${seconds} s`, fix)), seconds * 1000);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    const { message, where, fix: own } = (error instanceof Error ? error : new Error(String(error))) as Partial<SoloistError> & Error;
    return failed(`${where ? `${where}: ` : ''}${message.split('\n', 1)[0]}`, own ?? fix);
  } finally {
    clearTimeout(timer);
  }
}
