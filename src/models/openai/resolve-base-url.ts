import { SoloistError } from '../../core/errors.ts';
import { hostForDisplay } from '../chat/host-for-display.ts';

const OPENAI = 'https://api.openai.com/v1';

/**
 * The address of a server of chat completions, from what `OPENAI_BASE_URL` says: an absolute URL without a slash at its
 * end, with `/v1` where no path was written. OpenAI's own unless given.
 *
 * @throws SoloistError `configuration` when it is no address
 */
export function resolveBaseUrl(text: string | undefined): string {
  const given = (text ?? '').trim().replace(/^["']|["']$/g, '');
  if (given === '') return OPENAI;
  const url = parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new SoloistError('configuration', `the address "${hostForDisplay(given)}" of the model server cannot be used`, {
      where: 'OPENAI_BASE_URL',
      fix: 'write it as http://host:port/v1',
    });
  }
  const user = url.username ? `${url.username}${url.password ? `:${url.password}` : ''}@` : '';
  const path = url.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|embeddings)$/, '');
  const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname;
  return `${url.protocol}//${user}${name}${url.port ? `:${url.port}` : ''}${path === '' ? '/v1' : path}`;
}

/** OpenAI's own service differs from the servers that copy it in the names of a few fields. */
export function isOpenAi(baseUrl: string): boolean {
  return /(?:^|\.)openai\.(?:com|azure\.com)$/.test(new URL(baseUrl).hostname);
}

function parse(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}
