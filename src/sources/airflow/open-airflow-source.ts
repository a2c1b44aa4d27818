import { SoloistError } from '../../core/errors.ts';
import type { Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { createAirflowClient } from './airflow-client.ts';
import { createAirflowControl } from './airflow-control.ts';
import { createAirflowHistory } from './airflow-history.ts';

/**
 * A running Airflow 3, asked through its REST API v2: history with GET alone. Nothing is asked when it opens.
 *
 * @throws SoloistError `configuration` when the url is missing or no http address.
 */
export async function openAirflowSource(spec: SourceSpec, _environment: SourceEnvironment): Promise<Source> {
  const fix = 'set url to the address of the web server, for example from the environment';
  if (spec.url === undefined) throw new SoloistError('configuration', `source "${spec.name}" has no url`, { fix });
  const client = openClient(spec, spec.url, fix);
  return {
    name: spec.name,
    kind: 'airflow',
    location: client.location,
    runs: createAirflowHistory(client),
    control: createAirflowControl(client),
    async check(scope) {
      const answer = await client.get('/pools', { limit: 1 }, scope);
      if (answer.ok) return { ok: true, summary: `${client.location} answers` };
      const advice =
        answer.reason === 'unauthorized' || answer.reason === 'forbidden' ? 'give a valid token, for example from the environment' : fix;
      return { ok: false, summary: answer.message, fix: advice };
    },
    async close() {},
  };
}

function openClient(spec: SourceSpec, url: string, fix: string): ReturnType<typeof createAirflowClient> {
  try {
    return createAirflowClient({ url, token: spec.token });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SoloistError('configuration', `source "${spec.name}": ${error.message}`, { fix });
  }
}
