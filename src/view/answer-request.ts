import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode, SoloistError } from '../core/errors.ts';
import { answerApi } from './answer-api.ts';
import { isOwnHost } from './check-host.ts';
import type { PageFile } from './page-files.ts';
import type { ViewData } from './view-data.ts';

/** Sent with everything. The page has nothing from elsewhere, and no one else may hold it in a frame or read what it reads. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = { usage: 400, not_found: 404 };

export interface Answering {
  readonly data: ViewData;
  readonly files: ReadonlyMap<string, PageFile>;
  readonly port: number;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers one request; it never throws, since the next one must find the server as it was. */
export async function answerRequest(request: IncomingMessage, response: ServerResponse, answering: Answering): Promise<void> {
  const { status, type, body, headers } = await answerFor(request, answering).catch(failure);
  // Asked for anew each time: the log grows, and another version may be started on the same port.
  const cache = { 'Cache-Control': 'no-store' };
  response.writeHead(status, { ...HEADERS, ...cache, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function answerFor({ headers, method, url = '/' }: IncomingMessage, { data, files, port }: Answering): Promise<Answer> {
  if (!isOwnHost(headers.host, port))
    return plain(403, `this viewer answers to 127.0.0.1:${port} and localhost:${port} alone, not to the name in the Host header`);
  if (method !== 'GET' && method !== 'HEAD')
    return { ...plain(405, `the viewer only reads: GET and HEAD, not ${method}`), headers: { Allow: 'GET, HEAD' } };
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  const file = files.get(path);
  if (file) return { status: 200, type: file.type, body: file.bytes };
  const document = await answerApi(path, new URLSearchParams(query), data);
  if (document) return json(200, document);
  const fix = 'the page is at /, the data at /api/sessions';
  return json(404, { error: { code: 'not_found', message: 'there is nothing at this address', fix } });
}

function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain; charset=utf-8', body: `${text}\n` };
}

function json(status: number, document: object): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(document) };
}

function failure(error: unknown): Answer {
  if (!(error instanceof Error) || error.name !== 'SoloistError')
    return json(500, { error: { code: 'internal', message: error instanceof Error ? error.message : String(error) } });
  const { code, message, where, fix } = error as SoloistError;
  return json(STATUS[code] ?? 500, { error: { code, message, where, fix } });
}
