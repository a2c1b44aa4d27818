import { z } from 'zod';
import { shortenText } from '../artifacts/shorten-text.ts';
import type { ListShortener } from '../runs/shorten-lists.ts';
import type { ChangedNode, ComparedManifests, GoneTest } from './compare-manifests.ts';

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ total: z.number(), returned: z.number(), items: z.array(item) });
}

export const changedNode = z.object({
  node: z.string(),
  file: z.string().optional(),
  what: z.array(z.string()).describe('sql, config, parents'),
  lines_added: z.number().optional(),
  lines_removed: z.number().optional(),
  diff: z.array(z.string()).optional().describe('lines that went (-) and came (+)'),
  diff_lines_left_out: z.number().optional(),
  config: z.array(z.string()).optional(),
  parents: z.array(z.string()).optional(),
});

export const goneTest = z.object({
  test: z.string(),
  of: z.string().optional(),
  column: z.string().optional(),
  why: z.string(),
  status_before: z.string().optional(),
  failures_before: z.union([z.number(), z.string()]).optional(),
  replaced_by: z.string().optional().describe('a new test of the same kind on the same column'),
});

const MOST_LINES = 24;

export function shapeChangedNode(one: ChangedNode): z.output<typeof changedNode> {
  const shown = one.diff.slice(0, MOST_LINES).map((line) => shortenText(line, 160));
  return {
    node: shortenText(one.node, 200),
    ...(one.file === null ? {} : { file: shortenText(one.file, 150) }),
    what: [...one.what],
    ...(one.what.includes('sql') && one.diff.length > 0
      ? { lines_added: one.addedLines, lines_removed: one.removedLines, diff: shown }
      : {}),
    ...(one.diff.length > shown.length ? { diff_lines_left_out: one.diff.length - shown.length } : {}),
    ...(one.config.length > 0 ? { config: one.config.slice(0, 8).map((line) => shortenText(line, 160)) } : {}),
    ...(one.parents.length > 0 ? { parents: one.parents.slice(0, 8).map((line) => shortenText(line, 160)) } : {}),
  };
}

export function shapeGoneTest({ node, why, replacedBy }: GoneTest): z.output<typeof goneTest> {
  return {
    test: shortenText(node.id, 220),
    ...(node.test?.of ? { of: shortenText(node.test.of, 120) } : {}),
    ...(node.test?.column ? { column: shortenText(node.test.column, 80) } : {}),
    why: why === 'disabled' ? 'disabled in the later manifest' : 'no longer in the manifest',
    ...(replacedBy === null ? {} : { replaced_by: shortenText(replacedBy, 220) }),
  };
}

/** A list cut to what fits, with its total. */
export function fitList<Item>(
  lists: ListShortener,
  name: string,
  items: readonly Item[],
  room: { readonly characters: number; readonly most?: number },
): { total: number; returned: number; items: Item[] } {
  const shown = lists.shorten(name, items, room);
  return { total: items.length, returned: shown.length, items: shown };
}

export const manifestChanges = {
  nodes_added: listOf(z.string()),
  nodes_removed: listOf(z.string()),
  macros_changed: listOf(z.object({ macro: z.string(), change: z.string(), used_by: z.number() })),
  packages_added: z.array(z.string()),
  packages_removed: z.array(z.string()),
};

/** Nodes, macros and packages that only one of the manifests has. */
export function shapeManifestChanges(compared: ComparedManifests, lists: ListShortener) {
  const names = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => shortenText(id, 200));
  return {
    nodes_added: fitList(lists, 'nodes_added', names(compared.added), { characters: 500 }),
    nodes_removed: fitList(lists, 'nodes_removed', names(compared.removed), { characters: 500 }),
    macros_changed: fitList(
      lists,
      'macros_changed',
      compared.macros.map(({ macro, change, usedBy }) => ({ macro: shortenText(macro, 150), change, used_by: usedBy })),
      { characters: 500 },
    ),
    packages_added: lists.shorten('packages_added', compared.packagesAdded, { characters: 200 }),
    packages_removed: lists.shorten('packages_removed', compared.packagesRemoved, { characters: 200 }),
  };
}
