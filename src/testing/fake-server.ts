import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FakeAnswer, FakeEnd, FakeMessage } from './fake-answer.ts';

/** What a fake server saw of one request. */
export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** When it came, on the clock of `performance.now()`. */
  readonly at: number;
  /** The client closed the connection before the answer was whole. */
  closedEarly: boolean;
  /** Milliseconds from the request's arrival to its end. */
  endedAfterMs: number | undefined;
}

/** What all fake servers offer to a test. */
export interface FakeServer {
  /** `http://127.0.0.1:port` */
  readonly host: string;
  /** Every request, in order of arrival. */
  readonly requests: readonly FakeRequest[];
  /** Connections open now. */
  readonly connections: () => number;
  /** Resolves once `condition` holds; rejects after five seconds. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** What differs between kinds of fake servers. */
export interface FakeKind {
  readonly contentType: string;
  /** The answer to a request, and a promise of the time when the server gets to it. */
  answer(request: FakeRequest, requests: readonly FakeRequest[]): FakeAnswer | Promise<FakeAnswer>;
  say(message: FakeMessage): string;
  end(end: FakeEnd, request: FakeRequest): string;
  /** The server is done with a request, whoever ended it. */
  over?(request: FakeRequest): void;
}

/** A real HTTP server on loopback that answers as its kind says and records what it is asked. */
export async function startFakeServer(kind: FakeKind): Promise<FakeServer> {
  const requests: FakeRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void serve(request, response, kind, requests));
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => sockets.size,
    until,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, kind: FakeKind, requests: FakeRequest[]): Promise<void> {
  const seen = await readRequest(request);
  requests.push(seen);
  const gone = new Promise<void>((resolve) => {
    response.on('close', () => {
      seen.closedEarly = !response.writableFinished;
      seen.endedAfterMs = performance.now() - seen.at;
      kind.over?.(seen);
      resolve();
    });
  });
  const answer = await Promise.race([kind.answer(seen, requests), gone]);
  if (answer) await play(answer, { response, gone, kind, request: seen });
}

async function readRequest(request: IncomingMessage): Promise<FakeRequest> {
  const parts: Buffer[] = [];
  for await (const piece of request) parts.push(piece as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const { method = '', url: path = '', headers } = request;
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { method, path, headers, text, body, at: performance.now(), closedEarly: false, endedAfterMs: undefined };
}

interface Stage {
  readonly response: ServerResponse;
  readonly gone: Promise<void>;
  readonly kind: FakeKind;
  readonly request: FakeRequest;
}

async function play(answer: FakeAnswer, { response, gone, kind, request }: Stage): Promise<void> {
  if (answer.headersAfterMs) await sleep(answer.headersAfterMs, gone);
  if (answer.resetBeforeHeaders) {
    response.socket?.resetAndDestroy();
    return;
  }
  if (response.destroyed) return;
  response.writeHead(answer.status ?? 200, { 'content-type': kind.contentType, ...answer.headers });
  for (const step of answer.steps ?? []) {
    if ('say' in step) response.write(kind.say(step.say));
    else if ('end' in step) response.write(kind.end(step.end, request));
    else if ('line' in step) response.write(`${typeof step.line === 'string' ? step.line : JSON.stringify(step.line)}\n`);
    else if ('raw' in step) await new Promise<void>((resolve) => response.write(step.raw, () => setImmediate(resolve)));
    else if ('waitMs' in step) await sleep(step.waitMs, gone);
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

/** Waits, or less if the client goes meanwhile. */
function sleep(milliseconds: number, gone?: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    void gone?.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
