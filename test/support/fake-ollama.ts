import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One thing the server does while it answers a request, in order. */
export type FakeStep =
  /** One line of the stream: an object as JSON, or a text as it is. A newline follows. */
  | { readonly line: Readonly<Record<string, unknown>> | string }
  /** Raw bytes, for chunk borders anywhere. */
  | { readonly raw: string | Buffer }
  | { readonly waitMs: number }
  /** Cuts the connection. */
  | { readonly reset: true }
  /** Waits until the client has gone, or for ever. */
  | { readonly hang: true };

/** How one request is answered. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cuts the connection before any header. */
  readonly resetBeforeHeaders?: boolean;
  /** Holds the headers back: the time of a queue, a load and the reading of the prompt. */
  readonly headersAfterMs?: number;
  readonly steps?: readonly FakeStep[];
}

/** What the server saw of one request. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly at: number;
  /** The client closed the connection before the answer was whole. */
  closedEarly: boolean;
  /** Milliseconds from the request's arrival to its end. */
  endedAfterMs: number | undefined;
}

export interface FakeOllamaOptions {
  /** What `/api/show` says; a function sees the model's name. 404 for `undefined`. */
  readonly show?: Readonly<Record<string, unknown>> | ((model: string) => Readonly<Record<string, unknown>> | undefined);
  readonly tags?: readonly Readonly<Record<string, unknown>>[];
  readonly version?: string;
  /** Answers of `/api/chat` in the order of the requests; the last one repeats. A function sees the request. */
  readonly chat?: readonly FakeAnswer[] | ((request: FakeRequest, index: number) => FakeAnswer);
}

export interface FakeOllama {
  /** `http://127.0.0.1:port` */
  readonly host: string;
  /** Every request, in order of arrival. */
  readonly requests: readonly FakeRequest[];
  /** Those to `/api/chat`. */
  readonly chats: readonly FakeRequest[];
  /** Connections open now. */
  readonly connections: () => number;
  /** Resolves once `condition` holds; rejects after five seconds. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const SHOWN = {
  capabilities: ['completion', 'tools'],
  model_info: { 'general.architecture': 'fake', 'fake.context_length': 32_768 },
  details: { family: 'fake', parameter_size: '8B' },
};

/** A real HTTP server that speaks Ollama's protocol as scripted, and records what it is asked. */
export async function startFakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const requests: FakeRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void serve(request, response, options, requests));
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get chats() {
      return requests.filter((request) => request.path === '/api/chat');
    },
    connections: () => sockets.size,
    until,
    close: () => close(server, sockets),
  };
}

/** A chat line that holds text, reasoning or tool calls. */
export function part(message: Readonly<Record<string, unknown>>): FakeStep {
  return {
    line: { model: 'fake', created_at: '2025-01-01T00:00:00Z', message: { role: 'assistant', content: '', ...message }, done: false },
  };
}

/** The last line of a chat. */
export function done(fields: Readonly<Record<string, unknown>> = {}): FakeStep {
  const message = { role: 'assistant', content: '' };
  return { line: { model: 'fake', message, done: true, done_reason: 'stop', prompt_eval_count: 50, eval_count: 5, ...fields } };
}

/** A whole answer of text, in one line and its last. */
export function says(content: string, last: Readonly<Record<string, unknown>> = {}): FakeAnswer {
  return { steps: [part({ content }), done(last)] };
}

/** A whole answer of tool calls. */
export function callsTools(...calls: readonly (readonly [name: string, input: unknown])[]): FakeAnswer {
  const toolCalls = calls.map(([name, input], index) => ({ id: '', function: { index, name, arguments: input } }));
  return { steps: [part({ tool_calls: toolCalls }), done()] };
}

/** A refusal with Ollama's `{"error": …}` body. */
export function fails(status: number, error: unknown): FakeAnswer {
  return { status, headers: { 'content-type': 'application/json' }, steps: [{ raw: JSON.stringify({ error }) }] };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: FakeOllamaOptions,
  requests: FakeRequest[],
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const piece of request) parts.push(piece as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const seen: FakeRequest = {
    method: request.method ?? '',
    path: request.url ?? '',
    text,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    at: performance.now(),
    closedEarly: false,
    endedAfterMs: undefined,
  };
  requests.push(seen);
  const gone = new Promise<void>((resolve) => {
    response.on('close', () => {
      seen.closedEarly = !response.writableFinished;
      seen.endedAfterMs = performance.now() - seen.at;
      resolve();
    });
  });
  await play(answerFor(seen, options, requests), response, gone);
}

function answerFor(request: FakeRequest, options: FakeOllamaOptions, requests: readonly FakeRequest[]): FakeAnswer {
  const { show = SHOWN, tags = [], version = '0.33.0', chat = [says('hello')] } = options;
  switch (request.path.replace(/^.*(?=\/api\/)/, '')) {
    case '/api/version':
      return json({ version });
    case '/api/tags':
      return json({ models: tags });
    case '/api/ps':
      return json({ models: [] });
    case '/api/show': {
      const model = String(request.body.model);
      const shown = typeof show === 'function' ? show(model) : show;
      return shown ? json(shown) : fails(404, `model '${model}' not found`);
    }
    case '/api/chat': {
      const index = requests.filter(({ path }) => path === request.path).length - 1;
      if (typeof chat === 'function') return chat(request, index);
      return chat[Math.min(index, chat.length - 1)] ?? says('hello');
    }
    default:
      return { status: 404, headers: { 'content-type': 'text/plain' }, steps: [{ raw: '404 page not found' }] };
  }
}

function json(value: unknown): FakeAnswer {
  return { headers: { 'content-type': 'application/json; charset=utf-8' }, steps: [{ raw: JSON.stringify(value) }] };
}

async function play(answer: FakeAnswer, response: ServerResponse, gone: Promise<void>): Promise<void> {
  if (answer.headersAfterMs) await Promise.race([sleep(answer.headersAfterMs), gone]);
  if (answer.resetBeforeHeaders) {
    response.socket?.resetAndDestroy();
    return;
  }
  if (response.destroyed) return;
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/x-ndjson', ...answer.headers });
  for (const step of answer.steps ?? []) {
    if ('line' in step) response.write(`${typeof step.line === 'string' ? step.line : JSON.stringify(step.line)}\n`);
    else if ('raw' in step) await new Promise<void>((resolve) => response.write(step.raw, () => setImmediate(resolve)));
    else if ('waitMs' in step) await Promise.race([sleep(step.waitMs), gone]);
    else if ('hang' in step) {
      response.flushHeaders();
      await gone;
    } else {
      await sleep(10);
      response.socket?.resetAndDestroy();
    }
    if (response.destroyed) return;
  }
  response.end();
}

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error('waited five seconds in vain');
    await sleep(5);
  }
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
