import { bounded, type DoctorCheck } from './doctor.ts';
import { checkOpenAi } from './doctor-openai.ts';
import { checkParallel } from './doctor-parallel.ts';
import type { Workspace } from './workspace.ts';

/** Below this, a full window cannot be made loud. */
const OLDEST = '0.12.10';
const TESTED = '0.30.1';

/** @param project absent where its files could not be read */
export async function* checkModels({
  project,
  environment,
}: Pick<Workspace, 'environment'> & Partial<Pick<Workspace, 'project'>>): AsyncIterable<DoctorCheck> {
  const models = project?.models ?? {};
  const named = models.default?.model ?? 'auto';
  const automatic = yield* checkOllama({ environment });
  yield* checkOpenAi(models, environment);
  const id = named === 'auto' ? automatic && `ollama/${automatic}` : named;
  if (id?.includes('/')) yield await bounded('Parallel calls', () => checkParallel(id, models, environment), { seconds: 40 });
}

/** Answers the model that `auto` would take. */
async function* checkOllama({ environment }: Pick<Workspace, 'environment'>): AsyncGenerator<DoctorCheck, string | undefined> {
  const { probeModels } = await import('../models/ollama/probe.ts');
  const { chooseModel, remarkOf } = await import('../models/ollama/choose-model.ts');
  const probe = await probeModels({ environment }).catch((error: unknown) => error as Error);
  if (probe instanceof Error) {
    yield { name: 'Ollama', status: 'failed', found: probe.message, fix: 'set OLLAMA_HOST to an address such as 127.0.0.1:11434' };
    return undefined;
  }
  if (!probe.reachable) {
    yield {
      name: 'Ollama',
      status: 'warning',
      found: `nothing answers at ${probe.host}`,
      fix: 'start it with `ollama serve`, or set OLLAMA_HOST; without it the rules are used',
    };
    yield { name: 'Models', status: 'skipped', found: 'no Ollama' };
    return undefined;
  }
  yield await bounded('Ollama', async () => versionCheck(probe.host, probe.version));
  const chosen = chooseModel(probe);
  const names = probe.models.map((model) => model.name);
  if (chosen === undefined) {
    yield {
      name: 'Models',
      status: 'warning',
      found: names.length > 0 ? `none of ${names.join(', ')} can chat on this machine` : 'none installed',
      fix: 'run `ollama pull qwen3:8b`; without a model the rules are used',
    };
    return undefined;
  }
  const window = chosen.trainedWindow === undefined ? 'window unknown' : `window ${chosen.trainedWindow} tokens`;
  const tools = chosen.tools === undefined ? 'tools unknown' : chosen.tools ? 'takes tools' : 'takes no tools';
  const remark = remarkOf(chosen);
  const found = `auto uses ollama/${chosen.name} (${window}, ${remark || tools}); installed: ${names.join(', ')}`;
  yield remark === ''
    ? { name: 'Models', status: 'ok', found }
    : { name: 'Models', status: 'warning', found, fix: 'run `ollama pull qwen3:8b` for a model that calls tools itself' };
  return chosen.name;
}

export function versionCheck(host: string, version: string | undefined): DoctorCheck {
  if (version === undefined) return { name: 'Ollama', status: 'warning', found: `${host}, version unknown`, fix: `use ${TESTED} or newer` };
  const found = `${version} at ${host}`;
  if (older(version, OLDEST))
    return { name: 'Ollama', status: 'warning', found, fix: `update it to ${TESTED} or newer: before ${OLDEST} a full window goes unseen` };
  if (older(version, TESTED)) return { name: 'Ollama', status: 'warning', found, fix: `${TESTED} is the oldest version tested` };
  return { name: 'Ollama', status: 'ok', found };
}

function older(version: string, than: string): boolean {
  if (version.startsWith('0.0.0')) return false;
  const [left, right] = [version, than].map((text) => text.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0));
  for (let place = 0; place < 3; place++) {
    const difference = (left?.[place] ?? 0) - (right?.[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
