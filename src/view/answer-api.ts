import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { ResultPart, ViewData } from './view-data.ts';

const SESSIONS = { most: 500, usual: 50 };
const EVENTS = { most: 2_000, usual: 500 };
const PARTS: readonly ResultPart[] = ['shown', 'whole', 'arguments'];

/**
 * The document that an address of the API answers; nothing for an address that there is not.
 *
 * @throws SoloistError `usage` for a parameter, and as the data
 */
export async function answerApi(path: string, parameters: URLSearchParams, data: ViewData): Promise<object | undefined> {
  const [api, sessions, session, what, id, ...rest] = path.split('/').slice(1).map(decoded);
  if (api !== 'api' || sessions !== 'sessions' || rest.length > 0) return undefined;
  if (session === undefined)
    return data.sessions({
      after: parameters.get('after') ?? undefined,
      filter: parameters.get('q') ?? '',
      limit: wholeNumber(parameters, 'limit', { least: 1, ...SESSIONS }),
    });
  if (session === '') return undefined;
  if (what === undefined) return data.session(session);
  if (what === 'events' && id === undefined) {
    const after = wholeNumber(parameters, 'after', { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 });
    return data.events(session, { after, limit: wholeNumber(parameters, 'limit', { least: 1, ...EVENTS }) });
  }
  if (what === 'results' && id !== undefined) {
    const offset = wholeNumber(parameters, 'offset', { least: 0, most: Number.MAX_SAFE_INTEGER, usual: 0 });
    return data.result(session, id, { part: partOf(parameters.get('part') ?? 'shown'), offset });
  }
  if (what === 'figures' && id !== undefined) return data.figure(session, id);
  return undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new SoloistError('usage', `"${part}" is no part of an address`, { fix: 'encode it as encodeURIComponent does' });
  }
}

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

function wholeNumber(parameters: URLSearchParams, name: string, { least, most, usual }: Bounds): number {
  const text = parameters.get(name);
  if (text === null || text === '') return usual;
  if (/^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new SoloistError('usage', `${name} is a whole number from ${least} to ${most}, not "${text}"`);
}

function partOf(text: string): ResultPart {
  const part = PARTS.find((one) => one === text);
  if (part === undefined) throw new SoloistError('usage', `a result has no part "${text}"`, { fix: suggestName(text, PARTS) });
  return part;
}
