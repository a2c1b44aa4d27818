import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BINARIES = ['/usr/lib/postgresql/17/bin', '/usr/lib/postgresql/16/bin', '/usr/lib/postgresql/15/bin'].find((path) =>
  existsSync(path),
);

/** Why no server can be started here; undefined when one can. */
export const POSTGRES_MISSING = BINARIES === undefined ? 'the PostgreSQL server is not installed' : undefined;

export interface TemporaryPostgres {
  readonly url: string;
  stop(): void;
}

/** A server in a folder of its own; not as root, which PostgreSQL refuses. */
export async function startPostgres(): Promise<TemporaryPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-postgres-'));
  const asRoot = process.getuid?.() === 0;
  if (asRoot) {
    const id = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
    chownSync(folder, id, id);
    chmodSync(folder, 0o700);
  }
  const run = (program: string, ...values: string[]): void => {
    const command = [join(BINARIES ?? '', program), ...values];
    const [file = '', ...rest] = asRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
    execFileSync(file, rest, { stdio: 'ignore', cwd: tmpdir() });
  };
  const port = await freePort();
  const data = join(folder, 'data');
  run('initdb', '-D', data, '-A', 'trust', '-U', 'soloist', '--no-sync');
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`;
  run('pg_ctl', '-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start');
  return {
    url: `postgres://soloist:geheim@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop');
      rmSync(folder, { recursive: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
