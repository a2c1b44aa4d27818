import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type ReadyViewer, serveView } from '../app/view.ts';
import { SoloistError } from '../core/errors.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

interface ViewFlags {
  readonly port?: string;
  readonly ipv6?: boolean;
  readonly open?: boolean;
  readonly json?: boolean;
}

export function registerView(program: Command, services: CliServices): void {
  const command = program
    .command('view')
    .description(
      'show the sessions of the log in a browser: answers, where each figure comes from, every step; read-only, for this machine alone',
    )
    .argument('[session]', 'the session to begin with: its id, the beginning of it, or -1 for the latest')
    .option('--port <n>', 'the port on 127.0.0.1 (default: a free one)')
    .option('--ipv6', 'listen on [::1] too')
    .option('--open', 'open the page in a browser')
    .option('--json', 'print the address as JSON: {url, port, pid}');
  withProjectOptions(command).action(async (session: string | undefined, flags: ViewFlags, self: Command) => {
    const options = projectOptions(self, services);
    const ended = endOnSignal();
    try {
      await serveView(options, {
        session,
        port: portOf(flags.port),
        ipv6: flags.ipv6 === true,
        project: options.folder === resolve(services.cwd) ? undefined : options.folder,
        onReady: (viewer) => announce(viewer, flags, services),
        ended: ended.signalled,
      });
    } finally {
      ended.release();
    }
  });
}

function announce({ url, port }: ReadyViewer, { json, open }: ViewFlags, services: CliServices): void {
  services.out(json ? `${JSON.stringify({ url, port, pid: process.pid })}\n` : `${url}\n`);
  services.note('read-only, for this machine alone; Ctrl-C ends it');
  if (open) openBrowser(url, services);
}

function portOf(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new SoloistError('usage', `--port takes a whole number from 0 to 65535, not "${text}"`, { fix: 'for example --port 8080' });
}

/** A viewer that is closed is done, not interrupted. */
function endOnSignal(): { readonly signalled: Promise<void>; readonly release: () => void } {
  let end = (): void => undefined;
  const signalled = new Promise<void>((settle) => {
    end = settle;
  });
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  return {
    signalled,
    release: () => {
      process.removeListener('SIGINT', end);
      process.removeListener('SIGTERM', end);
    },
  };
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Where there is no browser to open, the address is on stdout. */
function openBrowser(url: string, services: CliServices): void {
  const [program, ...first] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...first, url], { stdio: 'ignore', detached: true });
  child.on('error', () => services.note(`no browser could be opened with ${program}; open ${url} yourself`));
  child.unref();
}
