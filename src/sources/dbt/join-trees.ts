import { dirname, join, relative, sep } from 'node:path';
import { FileAccessError, type FileTree } from '../../core/source.ts';

/** Several folders as one tree: paths are relative to the folder above them all, and only what is below one of them is reached. */
export function joinTrees(trees: readonly FileTree[]): FileTree | undefined {
  const [first] = trees;
  if (!first || trees.length === 1) return first;
  const root = folderAbove(trees.map((tree) => tree.root));
  const prefixOf = (tree: FileTree): string => {
    const path = relative(root, tree.root).split(sep).join('/');
    return path === '' ? '' : `${path}/`;
  };
  return {
    root,
    list: async (prefix = '') => {
      const listings = await Promise.all(trees.map(async (tree) => ({ at: prefixOf(tree), ...(await tree.list()) })));
      const entries = listings.flatMap(({ at, entries: own }) => own.map((entry) => ({ ...entry, path: at + entry.path })));
      const fitting = entries.filter((entry) => entry.path.startsWith(prefix));
      return {
        entries: fitting.sort((left, right) => (left.path < right.path ? -1 : 1)),
        warnings: listings.flatMap(({ warnings }) => warnings),
        complete: listings.every(({ complete }) => complete),
      };
    },
    resolve: async (path) => {
      let failure: unknown;
      for (const tree of trees) {
        const at = prefixOf(tree);
        if (path.startsWith('/') || path.startsWith(at))
          try {
            return await tree.resolve(path.startsWith('/') ? path : path.slice(at.length));
          } catch (error) {
            failure ??= error;
          }
      }
      throw failure ?? new FileAccessError('missing', `${path} is in none of the source's folders`);
    },
  };
}

function folderAbove(roots: readonly string[]): string {
  let above = roots[0] ?? sep;
  const holds = (root: string): boolean => {
    const path = relative(above, root);
    return path === '' || (!path.startsWith(`..${sep}`) && path !== '..');
  };
  while (!roots.every(holds) && dirname(above) !== above) above = dirname(above);
  return join(above);
}
