import { execFile } from 'node:child_process';

/** One commit, newest first in a list of them. */
export interface Commit {
  readonly hash: string;
  readonly at: string;
  readonly author: string;
  readonly subject: string;
  readonly files: readonly { readonly change: string; readonly path: string }[];
}

export type GitAnswer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly message: string };

const MOST_OUTPUT = 64 * 1024 * 1024;

/**
 * Settings under which git runs no program that the repository names, asks nobody, and writes nothing. What the repository's
 * own configuration says of filters and hooks is not followed: only stored objects are read.
 */
const SAFE = [
  '--no-pager',
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.allow=never',
  '-c',
  'log.showSignature=false',
  '-c',
  'safe.directory=*',
];

/** Runs git over one repository. Never rejects: no git, a broken repository and a stop are values. */
export function runGit(folder: string, args: readonly string[], signal: AbortSignal): Promise<GitAnswer<string>> {
  return new Promise((resolve) => {
    const options = {
      cwd: folder,
      signal,
      timeout: 30_000,
      maxBuffer: MOST_OUTPUT,
      env: {
        PATH: process.env.PATH ?? '',
        GIT_DIR: `${folder}/.git`,
        GIT_TERMINAL_PROMPT: '0',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_NO_LAZY_FETCH: '1',
        LC_ALL: 'C',
      },
    };
    execFile('git', [...SAFE, ...args], options, (error, stdout, stderr) => {
      if (!error) resolve({ ok: true, value: stdout });
      else if ((error as NodeJS.ErrnoException).code === 'ENOENT') resolve({ ok: false, message: 'git is not installed' });
      else resolve({ ok: false, message: (stderr.trim().split('\n', 1)[0] || 'git failed').slice(0, 300) });
    });
  });
}

const RECORD = '\u001e';
const FIELD = '\u001f';

/** Commits of a range or since a time, with the files that each touched; merges show none. */
export async function readCommits(folder: string, range: readonly string[], signal: AbortSignal): Promise<GitAnswer<readonly Commit[]>> {
  const format = `--format=${RECORD}%H${FIELD}%cI${FIELD}%an${FIELD}%s`;
  const answer = await runGit(
    folder,
    ['log', format, '--name-status', '--no-renames', '--no-ext-diff', '--no-textconv', ...range, '--'],
    signal,
  );
  if (!answer.ok) return answer;
  const commits = answer.value
    .split(RECORD)
    .filter((part) => part.trim() !== '')
    .map(readCommit);
  return { ok: true, value: commits };
}

function readCommit(text: string): Commit {
  const [head = '', ...lines] = text.split('\n');
  const [hash = '', at = '', author = '', subject = ''] = head.split(FIELD);
  const files = lines.flatMap((line) => {
    const found = /^([A-Z])\d*\t(.+)$/.exec(line);
    return found ? [{ change: found[1] ?? '', path: unquote(found[2] ?? '') }] : [];
  });
  return { hash, at, author, subject, files };
}

/** git writes names with odd characters in quotes, with octal escapes. */
function unquote(path: string): string {
  if (!path.startsWith('"')) return path;
  const bytes: number[] = [];
  for (const [, octal, escaped, plain] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...Buffer.from(escaped ?? plain ?? ''));
  }
  return Buffer.from(bytes).toString('utf8');
}

/** The lines that a file gained and lost between two commits. */
export async function readFileDiff(
  folder: string,
  { from, to, path }: { readonly from: string; readonly to: string; readonly path: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const answer = await runGit(folder, ['diff', '--no-ext-diff', '--no-textconv', '--no-renames', '-U0', from, to, '--', path], signal);
  if (!answer.ok) return [];
  const hunks = answer.value.slice(answer.value.indexOf('\n@@') + 1).split('\n');
  return hunks.filter((line) => /^[+-]/.test(line)).map((line) => `${line[0]} ${line.slice(1)}`);
}
