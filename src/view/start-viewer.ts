import { createServer, type Server } from 'node:http';
import { SoloistError } from '../core/errors.ts';
import { answerRequest } from './answer-request.ts';
import { readPageFiles } from './page-files.ts';
import type { ViewData } from './view-data.ts';

export interface RunningViewer {
  /** Where the page is, e.g. `http://127.0.0.1:40123/`. */
  readonly url: string;
  readonly port: number;
  /** Ends all connections; settles when the ports are free. */
  close(): Promise<void>;
}

export interface ViewerOptions {
  /** 0 for a free one. */
  readonly port: number;
  /** Listens on `::1` as well. */
  readonly ipv6?: boolean;
}

/** A request that takes longer to be sent than this is cut off. */
const REQUEST_MS = 10_000;

/**
 * Starts the viewer on this machine's own addresses: no other machine reaches it.
 *
 * @throws SoloistError `refused` for a port that cannot be had
 */
export async function startViewer(data: ViewData, { port: wanted, ipv6 = false }: ViewerOptions): Promise<RunningViewer> {
  const files = readPageFiles();
  const listen = async (host: string, on: number): Promise<Server> => {
    const server = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
      void answerRequest(request, response, { data, files, port: portOf(server) });
    });
    await listening(server, host, on);
    return server;
  };
  const servers = [await listen('127.0.0.1', wanted)];
  const port = portOf(servers[0] as Server);
  try {
    if (ipv6) servers.push(await listen('::1', port));
  } catch (error) {
    await closeAll(servers);
    throw error;
  }
  return { url: `http://127.0.0.1:${port}/`, port, close: () => closeAll(servers) };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(notListening(error, host, port)));
    server.listen({ host, port, exclusive: true }, () => resolve());
  });
}

function notListening({ code, message }: NodeJS.ErrnoException, host: string, port: number): SoloistError {
  const fix = 'choose another with --port N, or leave --port out for a free one';
  if (code === 'EADDRINUSE') return new SoloistError('refused', `port ${port} of ${host} is in use`, { fix });
  if (code === 'EACCES') return new SoloistError('refused', `port ${port} of ${host} may not be opened by this user`, { fix });
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
    return new SoloistError('refused', `this machine has no address ${host}`, { fix: 'leave out --ipv6' });
  return new SoloistError('refused', `the viewer cannot listen on port ${port} of ${host}: ${code ?? message}`, { fix });
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
}
