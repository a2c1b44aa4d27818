import { z } from 'zod';
import type { Scope } from '../../src/core/scope.ts';
import { type FileEntry, type FileTree, SourceChoiceError } from '../../src/core/source.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, noData, partial, refused } from '../../src/core/tool-result.ts';
import { findEqualFiles } from './equal-files.ts';
import { contradictsName, readSignature } from './file-signature.ts';
import { shorten, takeItems } from './take-items.ts';

const MOST_SIGNATURES = 2000;

const output = z.object({
  source: z.string(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), modified: z.string() })),
  total_bytes: z.number(),
  sizes: z.array(z.object({ below_bytes: z.number().nullable(), files: z.number() })),
  extensions: z.record(z.string(), z.number()),
  empty: z.object({ count: z.number(), paths: z.array(z.string()) }),
  equal: z.object({
    count: z.number(),
    all_compared: z.boolean(),
    groups: z.array(z.object({ sha256: z.string(), bytes: z.number(), files: z.number(), paths: z.array(z.string()) })),
  }),
  misnamed: z.object({ count: z.number(), files: z.array(z.object({ path: z.string(), named: z.string(), is: z.string() })) }),
});

/** Lists the files of a source with what is odd among them. */
export const listFiles = defineTool({
  name: 'list_files',
  description:
    'Lists the files of a source with size and time, sorted by path, plus a histogram of sizes, empty files, files with equal content and files that are not what their name says (gzip called csv). Use it first on a folder; "prefix" narrows it to a subfolder.',
  input: z.object({
    source: z.string().optional().describe('Name of the source; left out when only one has files'),
    prefix: z.string().default('').describe('Only paths that start with it, e.g. landing/'),
    limit: z.number().int().min(1).max(500).default(50).describe('Most files listed'),
  }),
  output,
  effect: 'read',
  example: { source: 'landing' },
  async run(input, context) {
    const source = await context.sources.pick('files', input.source).catch((error: unknown) => {
      if (error instanceof SourceChoiceError) return error;
      throw error;
    });
    if (source instanceof SourceChoiceError) return refused('no_source', source.message);
    if (source.files === undefined) return refused('no_files', `source "${source.name}" has no files`);
    const { entries, warnings, complete: isComplete } = await source.files.list(input.prefix);
    const data = await survey({ name: source.name, files: source.files, entries, limit: input.limit, scope: context.scope });
    const extra = { warnings: warnings.slice(0, 10), total: entries.length, returned: data.files.length, asOf: context.now() };
    if (entries.length === 0) return noData(data, extra);
    const all = data.files.length === entries.length && isComplete;
    return all ? complete(data, extra) : partial(data, extra);
  },
});

interface Survey {
  readonly name: string;
  readonly files: FileTree;
  readonly entries: readonly FileEntry[];
  readonly limit: number;
  readonly scope: Scope;
}

async function survey({ name, files, entries, limit, scope }: Survey): Promise<z.output<typeof output>> {
  const listed = entries.map(({ path, bytes, modified }) => ({ path, bytes, modified: modified.toISOString() }));
  const empty = entries.filter((entry) => entry.bytes === 0).map((entry) => shorten(entry.path, 200));
  const { groups, all } = await findEqualFiles(files, entries, scope);
  const misnamed = await findMisnamed(files, entries, scope);
  const shownGroups = groups.map((group) => ({
    sha256: group.sha256,
    bytes: group.bytes,
    files: group.paths.length,
    paths: takeItems(group.paths, 400, 5),
  }));
  return {
    source: name,
    files: takeItems(listed, 5000, limit),
    total_bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0),
    sizes: histogram(entries),
    extensions: countExtensions(entries),
    empty: { count: empty.length, paths: takeItems(empty, 500) },
    equal: { count: groups.length, all_compared: all, groups: takeItems(shownGroups, 1200) },
    misnamed: { count: misnamed.length, files: takeItems(misnamed, 700) },
  };
}

async function findMisnamed(
  files: FileTree,
  entries: readonly FileEntry[],
  scope: Scope,
): Promise<{ path: string; named: string; is: string }[]> {
  const found: { path: string; named: string; is: string }[] = [];
  for (const { path, bytes } of entries.slice(0, MOST_SIGNATURES)) {
    if (scope.stopped) break;
    if (bytes === 0) continue;
    const kind = await files.resolve(path).then(readSignature, () => undefined);
    const contradiction = kind === undefined ? undefined : contradictsName(path, kind);
    if (contradiction) found.push({ path: shorten(path, 200), ...contradiction });
  }
  return found;
}

const BOUNDS = [1, 1024, 1024 ** 2, 16 * 1024 ** 2, 256 * 1024 ** 2, 1024 ** 3];

function histogram(entries: readonly FileEntry[]): { below_bytes: number | null; files: number }[] {
  const bins = [...BOUNDS, null].map((below_bytes) => ({ below_bytes, files: 0 }));
  for (const { bytes } of entries) {
    const bin = bins.find(({ below_bytes: below }) => below === null || bytes < below);
    if (bin) bin.files++;
  }
  return bins.filter((bin) => bin.files > 0);
}

function countExtensions(entries: readonly FileEntry[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of entries) {
    const extension = /[^/]\.(\w{1,12}(\.gz)?)$/.exec(path)?.[1]?.toLowerCase() ?? '(none)';
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort((left, right) => right[1] - left[1]).slice(0, 15));
}
