import { z } from 'zod';
import { shortenText } from '../artifacts/shorten-text.ts';
import { fitList, listOf } from '../dbt/shape-changes.ts';
import { countBy } from '../dbt/shape-node-results.ts';
import type { ListShortener } from '../runs/shorten-lists.ts';
import { classifyPath } from './classify-path.ts';
import { type Commit, readCommits, readFileDiff, runGit } from './read-git-log.ts';

export const gitOutput = z.object({
  commits: listOf(z.object({ hash: z.string(), at: z.string(), author: z.string(), subject: z.string(), files: z.number() })),
  by_kind: z.record(z.string(), z.number()).describe('changed files by what they are to the pipeline'),
  files: listOf(
    z.object({
      path: z.string(),
      kind: z.string(),
      commits: z.number(),
      last_change: z.string(),
      lines: z.array(z.string()).optional(),
      lines_left_out: z.number().optional(),
    }),
  ),
});

export type GitChanges =
  | { readonly ok: true; readonly from: string; readonly to: string; readonly git: z.output<typeof gitOutput> }
  | { readonly ok: false; readonly refused: boolean; readonly message: string };

interface Wanted {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
}

const REVISION = /^[A-Za-z0-9][\w./@{}^~-]{0,199}$/;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?$/;
const MOST_DIFFS = 12;
const NEWEST = 20;

/** Commits between two revisions or dates; of the newest twenty commits unless a beginning is given. */
export async function gitChanges(
  folder: string,
  wanted: Wanted,
  { lists, signal }: { readonly lists: ListShortener; readonly signal: AbortSignal },
): Promise<GitChanges> {
  for (const name of [wanted.from, wanted.to])
    if (name !== undefined && !REVISION.test(name) && !DATE.test(name))
      return { ok: false, refused: true, message: `"${shortenText(name, 80)}" is neither a git revision nor a date such as 2026-03-01` };
  const range = rangeOf(wanted);
  const answer = await readCommits(folder, range, signal);
  if (!answer.ok)
    return { ok: false, refused: /unknown revision|bad revision|ambiguous argument/.test(answer.message), message: answer.message };
  const commits = answer.value;
  const files = await changedFiles(folder, commits, signal);
  const order = ['model', 'macro', 'packages', 'dag', 'schema', 'settings', 'sql', 'code', 'other'];
  files.sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
  if (wanted.from === undefined && commits.length >= NEWEST)
    lists.leaveOut(`only the newest ${commits.length} commits were read; give "from" to look further back`);
  return {
    ok: true,
    from: wanted.from ?? commits.at(-1)?.hash ?? 'the beginning',
    to: wanted.to ?? commits[0]?.hash ?? 'HEAD',
    git: {
      commits: fitList(
        lists,
        'commits',
        commits.map((one) => ({
          hash: one.hash.slice(0, 12),
          at: one.at,
          author: shortenText(one.author, 60),
          subject: shortenText(one.subject, 160),
          files: one.files.length,
        })),
        { characters: 3000, most: wanted.limit },
      ),
      by_kind: countBy(files, ({ kind }) => kind),
      files: fitList(lists, 'files', files, { characters: 5000, most: wanted.limit }),
    },
  };
}

function rangeOf({ from, to }: Wanted): string[] {
  const isDate = (name: string | undefined): name is string => name !== undefined && DATE.test(name);
  const range: string[] = [];
  if (isDate(from)) range.push(`--since=${from}`);
  if (isDate(to)) range.push(`--until=${to}`);
  if (from === undefined) range.push('-n', String(NEWEST));
  const start = from !== undefined && !isDate(from) ? `${from}..` : '';
  const end = to !== undefined && !isDate(to) ? to : 'HEAD';
  return [...range, `${start}${end}`];
}

async function changedFiles(folder: string, commits: readonly Commit[], signal: AbortSignal) {
  const [newest] = commits;
  const oldest = commits.at(-1);
  const touched = new Map<string, { commits: number; change: string }>();
  for (const { files } of commits)
    for (const { path, change } of files) {
      const known = touched.get(path);
      if (known) known.commits++;
      else touched.set(path, { commits: 1, change });
    }
  // The first commit has no parent: the empty tree stands for what was before it.
  const parent = oldest ? await runGit(folder, ['rev-parse', '--verify', '--quiet', `${oldest.hash}^`], signal) : undefined;
  const before = parent?.ok ? parent.value.trim() : '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  const named: Readonly<Record<string, string>> = { A: 'added', M: 'modified', D: 'deleted', T: 'type changed' };
  const files = [...touched].map(([path, one]) => ({
    path,
    kind: classifyPath(path),
    commits: one.commits,
    last_change: named[one.change] ?? one.change,
  }));
  const telling = files.filter(({ kind }) => kind !== 'other' && kind !== 'code').slice(0, MOST_DIFFS);
  const diffs = new Map<string, readonly string[]>();
  for (const { path } of telling) if (newest) diffs.set(path, await readFileDiff(folder, { from: before, to: newest.hash, path }, signal));
  return files.map((file) => {
    const lines = diffs.get(file.path) ?? [];
    const shown = lines.slice(0, 16).map((line) => shortenText(line, 160));
    return {
      ...file,
      path: shortenText(file.path, 160),
      ...(shown.length > 0 ? { lines: shown } : {}),
      ...(lines.length > shown.length ? { lines_left_out: lines.length - shown.length } : {}),
    };
  });
}
