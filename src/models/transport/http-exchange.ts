import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { StopReason } from '../../core/scope.ts';
import type { ExchangeOutcome, ExchangeRequest } from './exchange.ts';

const ERROR_BODY_BYTES = 65_536;
const DRAIN_MS = 1_000;
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL']);

type Phase = 'connect' | 'first_byte' | 'stall' | 'drain';

/**
 * One request under way. It settles once, by the first of: the answer's end, an error, a watchdog, the scope's stop.
 * A single timer serves all phases: activity only moves the deadline, and the timer looks at it when it fires.
 */
export class HttpExchange {
  private readonly request: ExchangeRequest;
  private readonly settle: (outcome: ExchangeOutcome) => void;
  private clientRequest: ClientRequest | undefined;
  private timer: NodeJS.Timeout | undefined;
  private timerDue = 0;
  private deadline = 0;
  private phase: Phase = 'connect';
  private readonly begunAt = performance.now();
  private firstByteMs = 0;
  private settled = false;
  private released = false;
  private toldQuiet = false;

  constructor(request: ExchangeRequest, settle: (outcome: ExchangeOutcome) => void) {
    this.request = request;
    this.settle = settle;
  }

  /** Attaches to a request that is about to be sent. */
  begin(clientRequest: ClientRequest): void {
    this.clientRequest = clientRequest;
    clientRequest.on('socket', (socket) => this.onSocket(socket));
    clientRequest.on('response', (response) => this.onResponse(response));
    clientRequest.on('error', (error: NodeJS.ErrnoException) => this.onError(error));
    clientRequest.on('close', () => this.release());
    const { connectMs, quietMs } = this.request.watchdogs;
    this.deadline = this.begunAt + connectMs;
    this.arm(Math.min(connectMs, quietMs));
    this.request.scope.add(this);
  }

  /** The scope's stop: settles at once, and the socket is closed. */
  stop(reason: StopReason): void {
    this.finish({ kind: 'stopped', reason });
    this.clientRequest?.destroy();
  }

  private onSocket(socket: Socket): void {
    if (socket.connecting) socket.once('connect', () => this.enter('first_byte', this.request.watchdogs.firstByteMs));
    else this.enter('first_byte', this.request.watchdogs.firstByteMs);
  }

  private onResponse(response: IncomingMessage): void {
    this.firstByteMs = performance.now() - this.begunAt;
    response.on('error', (error: NodeJS.ErrnoException) => this.onError(error));
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      this.enter('stall', this.request.watchdogs.stallMs);
      this.readErrorBody(response, status);
      return;
    }
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.onText(text));
    response.on('end', () => {
      this.finish({ kind: 'complete', firstByteMs: this.firstByteMs });
      this.release();
    });
  }

  private onText(text: string): void {
    if (this.settled) return;
    const verdict = this.request.onText(text);
    if (this.phase === 'drain' || verdict === 'waiting') return;
    if (verdict === 'enough') this.enter('drain', DRAIN_MS);
    else if (this.phase === 'stall') this.deadline = performance.now() + this.request.watchdogs.stallMs;
    else this.enter('stall', this.request.watchdogs.stallMs);
  }

  private readErrorBody(response: IncomingMessage, status: number): void {
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (): void => {
      const retryAfter = response.headers['retry-after'];
      this.finish({
        kind: 'status',
        status,
        contentType: response.headers['content-type'] ?? '',
        body: Buffer.concat(parts).toString('utf8', 0, ERROR_BODY_BYTES),
        ...(retryAfter === undefined ? {} : { retryAfter }),
      });
    };
    response.on('data', (part: Buffer) => {
      parts.push(part);
      size += part.length;
      this.deadline = performance.now() + this.request.watchdogs.stallMs;
      if (size <= ERROR_BODY_BYTES) return;
      finish();
      this.clientRequest?.destroy();
    });
    response.on('end', () => {
      finish();
      this.release();
    });
  }

  private onError(error: NodeJS.ErrnoException): void {
    const code = error.code ?? error.name;
    const started = this.phase === 'stall';
    if (this.phase === 'drain') this.finish({ kind: 'complete', firstByteMs: this.firstByteMs });
    else if (!started && UNREACHABLE.has(code)) this.finish({ kind: 'unreachable', code });
    else this.finish({ kind: 'reset', code, started });
  }

  private enter(phase: Phase, limitMs: number): void {
    this.phase = phase;
    this.deadline = performance.now() + limitMs;
    if (this.timerDue > this.deadline) this.arm(limitMs);
  }

  private arm(afterMs: number): void {
    clearTimeout(this.timer);
    if (this.settled) return;
    this.timerDue = performance.now() + afterMs;
    this.timer = setTimeout(onTimer, Math.max(1, Math.ceil(afterMs)), this);
  }

  /** Looks whether the deadline has really passed; it may have been moved since the timer was set. */
  check(): void {
    const now = performance.now();
    if (now >= this.deadline) {
      this.expire();
      return;
    }
    const waiting = this.phase === 'first_byte' && !this.toldQuiet;
    const quietLeft = this.begunAt + this.request.watchdogs.quietMs - now;
    if (waiting && quietLeft <= 0) {
      this.toldQuiet = true;
      this.request.onQuiet?.();
    }
    this.arm(waiting && quietLeft > 0 ? Math.min(quietLeft, this.deadline - now) : this.deadline - now);
  }

  private expire(): void {
    const { connectMs, firstByteMs, stallMs } = this.request.watchdogs;
    const { phase } = this;
    if (phase === 'drain') this.finish({ kind: 'complete', firstByteMs: this.firstByteMs });
    else {
      const limitMs = phase === 'connect' ? connectMs : phase === 'first_byte' ? firstByteMs : stallMs;
      this.finish({ kind: 'timeout', phase, seconds: limitMs / 1000 });
    }
    this.clientRequest?.destroy();
  }

  private release(): void {
    if (this.released) return;
    this.released = true;
    this.request.onReleased?.();
    // The socket closed and nothing said why; an error event, if there is one, comes first.
    if (!this.settled) setImmediate(() => this.finish({ kind: 'reset', code: 'ECONNRESET', started: this.phase === 'stall' }));
  }

  private finish(outcome: ExchangeOutcome): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.timer);
    this.request.scope.remove(this);
    this.settle(outcome);
  }
}

function onTimer(exchange: HttpExchange): void {
  exchange.check();
}
