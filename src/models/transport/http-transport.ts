import { Agent, type RequestOptions, request as requestHttp } from 'node:http';
import type { ExchangeOutcome, ExchangeRequest } from './exchange.ts';
import { HttpExchange } from './http-exchange.ts';

type Protocol = { readonly agent: Agent; readonly request: typeof requestHttp };

/**
 * Requests to one host over kept-alive connections, on `node:http`. No request is bounded by anything but its own
 * watchdogs and scope.
 */
export class HttpTransport {
  /** Path prefix of the host, without a slash at its end. */
  readonly prefix: string;
  private readonly secure: boolean;
  private readonly target: RequestOptions;
  private protocol: Protocol | undefined;

  /** @param host an absolute `http:` or `https:` URL; a path in it is put before every request's path */
  constructor(host: string) {
    const url = new URL(host);
    this.secure = url.protocol === 'https:';
    this.target = targetOf(url);
    this.prefix = url.pathname.replace(/\/+$/, '');
  }

  /** Never rejects. */
  async send(request: ExchangeRequest): Promise<ExchangeOutcome> {
    const protocol = this.protocol ?? (await this.open());
    return new Promise((settle) => {
      const { reason } = request.scope;
      if (reason) {
        request.onReleased?.();
        settle({ kind: 'stopped', reason });
        return;
      }
      const exchange = new HttpExchange(request, settle);
      const outgoing = protocol.request(this.optionsFor(request, protocol.agent));
      exchange.begin(outgoing);
      if (request.body) {
        outgoing.cork();
        for (const part of request.body) outgoing.write(part);
      }
      outgoing.end();
    });
  }

  close(): void {
    this.protocol?.agent.destroy();
    this.protocol = undefined;
  }

  private async open(): Promise<Protocol> {
    const options = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, noDelay: true };
    if (this.secure) {
      const https = await import('node:https');
      this.protocol = { agent: new https.Agent(options), request: https.request as typeof requestHttp };
    } else this.protocol = { agent: new Agent(options), request: requestHttp };
    return this.protocol;
  }

  private optionsFor(request: ExchangeRequest, agent: Agent): RequestOptions {
    const options: RequestOptions = { ...this.target, agent, path: this.prefix + request.path, method: request.method };
    if (request.body) {
      let size = 0;
      for (const part of request.body) size += part.length;
      options.headers = { 'content-type': 'application/json', 'content-length': size, ...request.headers };
    } else if (request.headers) options.headers = { ...request.headers };
    return options;
  }
}

function targetOf(url: URL): RequestOptions {
  const { username, password, hostname, port } = url;
  const target: RequestOptions = { hostname: hostname.replace(/^\[|\]$/g, ''), port };
  if (username) target.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return target;
}
