/** A line with lines below it. */
export interface TreeNode {
  readonly text: string;
  readonly children?: readonly TreeNode[];
}

/** The lines of a tree with its branches drawn; a text of several lines keeps its branch. */
export function treeLines(root: TreeNode): string[] {
  const lines = root.text.split('\n');
  addChildren(root, '', lines);
  return lines;
}

function addChildren({ children = [] }: TreeNode, indent: string, lines: string[]): void {
  for (const [index, child] of children.entries()) {
    const isLast = index === children.length - 1;
    const below = `${indent}${isLast ? '   ' : '│  '}`;
    const [first = '', ...rest] = child.text.split('\n');
    const hasChildren = (child.children?.length ?? 0) > 0;
    lines.push(`${indent}${isLast ? '└─ ' : '├─ '}${first}`, ...rest.map((line) => `${below}${hasChildren ? '│  ' : '   '}${line}`));
    addChildren(child, below, lines);
  }
}
