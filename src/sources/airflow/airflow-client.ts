import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Scope } from '../../core/scope.ts';

/** What a request came to: the JSON, or why there is none. No message holds a token or a password. */
export type AirflowAnswer =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly reason: 'unauthorized' | 'forbidden' | 'not_found' | 'conflict' | 'invalid' | 'server' | 'unreachable' | 'not_json';
      readonly message: string;
    };

/** Asks Airflow's REST API. History is read with `get` alone; `change` is for what a person has approved. */
export interface AirflowClient {
  /** Where it asks, without user, password and query. */
  readonly location: string;
  get(path: string, query: Readonly<Record<string, string | number>>, scope: Scope): Promise<AirflowAnswer>;
  /** One request with a JSON body, never repeated and never redirected. */
  change(method: 'POST' | 'PATCH', path: string, body: Readonly<Record<string, unknown>>, scope: Scope): Promise<AirflowAnswer>;
}

export interface AirflowAccess {
  readonly url: string;
  readonly token?: string | undefined;
  /** Milliseconds until a request is given up; 30 seconds unless set. */
  readonly timeoutMs?: number;
}

const LARGEST_BODY = 64 * 1024 * 1024;
const MOST_REDIRECTS = 3;

/** @throws RangeError when the address is no http or https URL; the address itself is not repeated. */
export function createAirflowClient(access: AirflowAccess): AirflowClient {
  const base = readAddress(access.url);
  const { username, password } = base;
  base.username = '';
  base.password = '';
  base.search = '';
  const basic = username
    ? `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
    : undefined;
  const authorization = access.token ? `Bearer ${access.token}` : basic;
  const timeoutMs = access.timeoutMs ?? 30_000;
  return {
    location: base.href,
    async get(path, query, scope) {
      const url = new URL(`${base.href.replace(/\/$/, '')}${path}`);
      for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value));
      return exchange(url, { method: 'GET', authorization, timeoutMs, scope }, MOST_REDIRECTS);
    },
    change: (method, path, body, scope) =>
      exchange(
        new URL(`${base.href.replace(/\/$/, '')}${path}`),
        { method, body: JSON.stringify(body), authorization, timeoutMs, scope },
        0,
      ),
  };
}

/** `https://host/prefix` is taken as the web server's address: the API stands below `/api/v2`, unless the path says. */
function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new RangeError('the url of an airflow source must begin with http:// or https://');
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = /\/api\/v\d+$/.test(path) ? path : `${path}/api/v2`;
  url.hash = '';
  return url;
}

interface Exchange {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly body?: string;
  readonly authorization: string | undefined;
  readonly timeoutMs: number;
  readonly scope: Scope;
}

async function exchange(url: URL, options: Exchange, redirectsLeft: number): Promise<AirflowAnswer> {
  const place = `${url.origin}${url.pathname}`;
  let answer: { response: IncomingMessage; body: string };
  try {
    answer = await send(url, options);
  } catch (error) {
    return { ok: false, reason: 'unreachable', message: `${place}: ${describeFailure(error, options)}` };
  }
  const status = answer.response.statusCode ?? 0;
  const { location } = answer.response.headers;
  if (status >= 300 && status < 400 && location !== undefined) {
    const target = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (target?.origin === url.origin && redirectsLeft > 0) return exchange(target, options, redirectsLeft - 1);
    return {
      ok: false,
      reason: 'server',
      message: `${place} redirects to ${target?.origin ?? 'no address'}, which is not followed; is this the address of Airflow itself?`,
    };
  }
  if (status < 200 || status >= 300) return refusal(place, status, detailOf(answer.body));
  try {
    return { ok: true, value: JSON.parse(answer.body) };
  } catch {
    return { ok: false, reason: 'not_json', message: `${place} answered ${status} but no JSON; is this the address of Airflow's API?` };
  }
}

/** What the server says is wrong with a request: one line of it. */
function detailOf(body: string): string {
  const detail = /"detail":\s*"((?:[^"\\]|\\.){1,300})"/.exec(body)?.[1] ?? /"msg":\s*"([^"]{1,300})"/.exec(body)?.[1];
  return detail === undefined ? '' : `: ${detail.replace(/\s+/g, ' ')}`;
}

function refusal(place: string, status: number, detail: string): AirflowAnswer {
  if (status === 401)
    return { ok: false, reason: 'unauthorized', message: `${place} answered 401: the token is missing, wrong or expired` };
  if (status === 403) return { ok: false, reason: 'forbidden', message: `${place} answered 403: the token's user may not read this` };
  if (status === 404) return { ok: false, reason: 'not_found', message: `${place} answered 404: not there (Airflow 3 serves /api/v2)` };
  if (status === 409) return { ok: false, reason: 'conflict', message: `${place} answered 409, in conflict with what is there${detail}` };
  if (status === 400 || status === 422)
    return { ok: false, reason: 'invalid', message: `${place} answered ${status}, the request is not valid${detail}` };
  return { ok: false, reason: 'server', message: `${place} answered ${status}${status >= 500 ? ': the server failed' : ''}` };
}

function send(url: URL, { method, body, authorization, timeoutMs, scope }: Exchange): Promise<{ response: IncomingMessage; body: string }> {
  return new Promise((resolve, reject) => {
    const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const headers = { accept: 'application/json', ...content, ...(authorization === undefined ? {} : { authorization }) };
    const ask: typeof requestHttp = url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = ask(url, { method, headers });
    const stop = { stop: () => request.destroy(new Error('stopped')) };
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      scope.remove(stop);
      finish();
    };
    request.on('error', (error) => settle(() => reject(error)));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > LARGEST_BODY) request.destroy(new Error(`the answer is larger than ${LARGEST_BODY} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', (error) => settle(() => reject(error)));
      response.on('end', () => settle(() => resolve({ response, body: Buffer.concat(chunks).toString('utf8') })));
    });
    scope.add(stop);
    request.end(body);
  });
}

function describeFailure(error: unknown, { timeoutMs }: Exchange): string {
  const { code, message = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return 'nothing listens there';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host name is not known';
  if (code === 'ECONNRESET') return 'the connection was cut';
  return code ?? (message || `no answer within ${timeoutMs / 1000} s`);
}
