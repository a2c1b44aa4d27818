import { SoloistError } from '../../core/errors.ts';
import { hostForDisplay } from '../chat/host-for-display.ts';

const DEFAULT_PORT = '11434';

/**
 * The server's address as an absolute URL without a slash at its end, from what `OLLAMA_HOST` or a setting says: a
 * missing scheme is `http`, a missing port 11434 (80 or 443 where the scheme was written), a path is kept, and the
 * address of "all interfaces" becomes loopback, since it is one to listen on, not to call.
 *
 * @throws SoloistError `configuration` when it is no address
 */
export function resolveHost(text: string | undefined): string {
  const given = (text ?? '').trim().replace(/^["']|["']$/g, '');
  if (given === '') return `http://127.0.0.1:${DEFAULT_PORT}`;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(given);
  const url = parse(hasScheme ? given : `http://${withHost(given)}`, given);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw unusable(given, `${url.protocol.slice(0, -1)} is not http or https`);
  const written = hasScheme ? (url.protocol === 'https:' ? '443' : '80') : DEFAULT_PORT;
  // URL drops a port that is its scheme's own, so `host:80` without a scheme has to be looked for in the text.
  const explicit = url.port || (/:80(\/|$)/.test(given) && !hasScheme ? '80' : written);
  const name = url.hostname === '0.0.0.0' ? '127.0.0.1' : url.hostname === '[::]' ? '[::1]' : url.hostname;
  const user = url.username ? `${url.username}${url.password ? `:${url.password}` : ''}@` : '';
  return `${url.protocol}//${user}${name}:${explicit}${url.pathname.replace(/\/+$/, '')}`;
}

function withHost(given: string): string {
  if (/^:\d/.test(given)) return `127.0.0.1${given}`;
  // A bare IPv6 address needs brackets in a URL.
  return (given.match(/:/g) ?? []).length > 1 && !given.startsWith('[') ? `[${given}]` : given;
}

function parse(url: string, given: string): URL {
  try {
    return new URL(url);
  } catch {
    throw unusable(given, 'it is not an address');
  }
}

function unusable(given: string, fact: string): SoloistError {
  return new SoloistError('configuration', `the Ollama host "${hostForDisplay(given)}" cannot be used: ${fact}`, {
    where: 'OLLAMA_HOST',
    fix: 'write it as host:port or http://host:port',
  });
}
