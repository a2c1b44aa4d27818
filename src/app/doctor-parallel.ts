import { DEFAULT_LIMITS } from '../core/agent-spec.ts';
import type { ModelSettings } from '../core/project.ts';
import { Scope } from '../core/scope.ts';
import type { DoctorCheck } from './doctor.ts';
import type { Workspace } from './workspace.ts';

const SECONDS = 30;
const NAME = 'Parallel calls';

/** What the server of a model really does with two calls at once, which may be a load of the model away. */
export async function checkParallel(
  id: string,
  models: Workspace['project']['models'],
  environment: Workspace['environment'],
): Promise<DoctorCheck> {
  const { resolveModel } = await import('../models/resolve-model.ts');
  const { isOpenAi, resolveBaseUrl } = await import('../models/openai/resolve-base-url.ts');
  if (id.startsWith('openai/') && isOpenAi(resolveBaseUrl(environment.OPENAI_BASE_URL)))
    return { name: NAME, status: 'skipped', found: `${id} is not tried: every call to OpenAI costs, and its service takes many at once` };
  const { measureParallel } = await import('../models/measure-parallel.ts');
  const settings = Object.values(models).find((entry) => entry.model === id);
  const measured: ModelSettings = { ...settings, model: id, parallel: 2, fallback: [] };
  const model = await resolveModel(id, { measured }, environment);
  const scope = new Scope();
  const timer = setTimeout(() => scope.stop({ kind: 'timeout', seconds: SECONDS }), SECONDS * 1000);
  try {
    const result = await measureParallel(model, settings?.contextTokens ?? DEFAULT_LIMITS.contextTokens, scope);
    if (!result.ok) {
      const { kind, message, fix } = result.failure;
      const found = kind === 'stopped' ? `${id} did not answer three tiny requests within ${SECONDS} s` : message;
      return { name: NAME, status: 'warning', found, ...(fix ? { fix } : {}) };
    }
    return tell(id, settings?.parallel ?? (id.startsWith('openai/') ? 4 : 1), result.atOnce);
  } finally {
    clearTimeout(timer);
    await model.close();
  }
}

function tell(id: string, allowed: number, atOnce: boolean): DoctorCheck {
  const places = `${allowed} ${allowed === 1 ? 'call' : 'calls'} of ours at once`;
  if (atOnce) {
    const more = allowed === 1 ? '; raise models.*.parallel to use it' : '';
    return { name: NAME, status: 'ok', found: `${id} answers two calls at the same time (${places}${more})` };
  }
  const found = `${id} answers one call at a time (${places})`;
  if (allowed === 1) return { name: NAME, status: 'ok', found };
  const fix = id.startsWith('ollama/')
    ? 'set OLLAMA_NUM_PARALLEL for the server, or parallel: 1'
    : 'give the server more slots, or set parallel: 1';
  return { name: NAME, status: 'warning', found: `${found}; the others wait in its queue`, fix };
}
