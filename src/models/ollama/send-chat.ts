import type { ServerLink } from '../chat/server-link.ts';
import type { ExchangeOutcome, ExchangeRequest } from '../transport/exchange.ts';
import type { FetchInit } from './ollama-client.ts';

/**
 * One chat through the `ollama` package, with our transport as its `fetch`: it sends the history as it lies encoded, not the empty one that
 * the package is given, and the answer is read as it comes. The package is told of no stream: it would print broken lines and lose their errors.
 */
export async function sendChat({ host, name, transport }: ServerLink, request: ExchangeRequest): Promise<ExchangeOutcome> {
  const { Ollama } = await import('ollama');
  return new Promise((resolve, reject) => {
    const fetch = async (_: string, { headers }: FetchInit): Promise<{ ok: true; json: () => undefined }> => {
      resolve(await transport.send({ ...request, headers }));
      return { ok: true, json: () => undefined };
    };
    const client = new Ollama({ host, fetch: fetch as unknown as typeof globalThis.fetch });
    client.chat({ model: name, messages: [] }).catch(reject);
  });
}
