import { formatProblem, SoloistError } from '../core/errors.ts';
import { type DoctorCheck, runDoctor } from './doctor.ts';
import { checkDependencies } from './doctor-dependencies.ts';
import { checkModels } from './doctor-models.ts';
import { openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

/**
 * All checks on a project. One whose files are wrong gets its problems as failed checks, and those checks that need no
 * project.
 *
 * @throws SoloistError `usage` for a wrong argument.
 */
export async function* examineProject(options: WorkspaceOptions): AsyncIterable<DoctorCheck> {
  const workspace = await openWorkspace(options).catch(configurationProblems);
  if ('project' in workspace) yield* examineWorkspace(workspace);
  else {
    yield* checkDependencies();
    yield* workspace.checks;
    yield { name: 'Log', status: 'skipped', found: 'the project cannot be opened' };
    yield { name: 'Sources', status: 'skipped', found: 'the project cannot be opened' };
    yield* checkModels(options);
  }
}

async function* examineWorkspace(workspace: Workspace): AsyncIterable<DoctorCheck> {
  try {
    yield {
      name: 'Configuration',
      status: 'ok',
      found: workspace.project.file ?? `no soloist.yaml in ${workspace.project.folder}: defaults`,
    };
    yield* runDoctor(workspace);
  } finally {
    await workspace.close();
  }
}

function configurationProblems(error: unknown): { readonly checks: readonly DoctorCheck[] } {
  if (!(error instanceof SoloistError) || error.code === 'usage') throw error;
  const { message, where, fix, problems } = error;
  const all = problems.length > 0 ? problems : [{ where: where ?? 'project', fact: message, ...(fix ? { fix } : {}) }];
  return {
    checks: all.map(({ fix: remedy, ...problem }) => ({
      name: 'Configuration',
      status: 'failed',
      found: formatProblem(problem),
      ...(remedy ? { fix: remedy } : {}),
    })),
  };
}
