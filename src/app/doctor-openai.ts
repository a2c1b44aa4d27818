import { bounded, type DoctorCheck } from './doctor.ts';
import type { Workspace } from './workspace.ts';

const NAME = 'OpenAI-compatible server';
const SHOWN = 8;

/** Looked at only where the project or the environment names such a server. */
export async function* checkOpenAi(
  models: Workspace['project']['models'],
  environment: Workspace['environment'],
): AsyncIterable<DoctorCheck> {
  const named = Object.values(models).flatMap(({ model }) => (model.startsWith('openai/') ? [model.slice('openai/'.length)] : []));
  if (named.length === 0 && !environment.OPENAI_BASE_URL) return;
  yield await bounded(
    NAME,
    async () => {
      const { probeOpenAi } = await import('../models/openai/probe.ts');
      const { baseUrl, models: known, failure } = await probeOpenAi(environment);
      if (failure) {
        const { message, fix } = failure;
        return { name: NAME, status: named.length > 0 ? 'failed' : 'warning', found: message, ...(fix ? { fix } : {}) };
      }
      const listed = known.length > SHOWN ? `${known.slice(0, SHOWN).join(', ')} and ${known.length - SHOWN} more` : known.join(', ');
      const missing = named.filter((name) => known.length > 0 && !known.includes(name));
      const found = `${baseUrl}${listed ? `: ${listed}` : ''}`;
      if (missing.length === 0) return { name: NAME, status: 'ok', found };
      return {
        name: NAME,
        status: 'warning',
        found: `${found}; it does not list ${missing.join(', ')}`,
        fix: 'name a model that it lists',
      };
    },
    { seconds: 10, fix: 'set OPENAI_BASE_URL to an address such as http://127.0.0.1:8000/v1' },
  );
}
