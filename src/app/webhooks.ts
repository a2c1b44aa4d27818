import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Delivery, Webhooks } from '../core/output.ts';

/** Sends JSON to the addresses of the project. Redirects are not followed, and no message holds an address. */
export function createWebhooks(addresses: Readonly<Record<string, string>>): Webhooks {
  return {
    names: Object.keys(addresses),
    hostOf: (name) => (Object.hasOwn(addresses, name) ? new URL(addresses[name] ?? '').host : undefined),
    send: async (name, payload, signal) => {
      const address = Object.hasOwn(addresses, name) ? addresses[name] : undefined;
      if (address === undefined) return { ok: false, message: `there is no webhook "${name}"` };
      return post(new URL(address), JSON.stringify(payload), signal);
    },
  };
}

function post(url: URL, body: string, signal: AbortSignal): Promise<Delivery> {
  return new Promise((resolve) => {
    const ask: typeof requestHttp = url.protocol === 'https:' ? requestHttps : requestHttp;
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = ask(url, { method: 'POST', headers, signal }, (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      response.on('close', () => resolve(status >= 200 && status < 300 ? { ok: true, status } : refusal(url, status)));
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.name === 'AbortError' ? 'no answer in time' : (error.code ?? 'the connection failed');
      resolve({ ok: false, message: `${url.host}: ${why}` });
    });
    request.end(body);
  });
}

function refusal(url: URL, status: number): Delivery {
  const moved = status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
  return { ok: false, message: `${url.host} answered ${status}${moved}` };
}
