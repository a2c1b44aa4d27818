import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const SLOW_READER_MS = 500;

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliCall {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** A slow reader: stdout is left in the pipe until stderr holds this, and for a while longer. */
  readonly readAfter?: string;
  /** Called with what stderr held so far, whenever more came. */
  readonly onStderr?: (text: string, kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs the real command line as it is shipped (`build-when-stale.ts`), in a process of its own, with no Ollama to find. */
export function runCli(argv: readonly string[], call: CliCall = {}): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [`${root}dist/src/cli/main.js`, ...argv], {
      cwd: call.cwd ?? root,
      env: { ...process.env, NO_COLOR: '1', OLLAMA_HOST: '127.0.0.1:9', ...call.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    if (call.readAfter !== undefined) child.stdout.pause();
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      call.onStderr?.(stderr, (signal) => child.kill(signal));
      if (call.readAfter !== undefined && stderr.includes(call.readAfter)) setTimeout(() => child.stdout.resume(), SLOW_READER_MS);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(call.stdin ?? '');
  });
}
