/** Nodes and what each is made from. */
export interface LineageGraph {
  readonly nodes: ReadonlyMap<string, LineageNode>;
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly children: ReadonlyMap<string, readonly string[]>;
}

export interface LineageNode {
  readonly id: string;
  readonly type: string;
  /** Other names that it may be asked by. */
  readonly names: readonly string[];
  readonly file?: string | undefined;
}

export interface Reached {
  readonly id: string;
  readonly depth: number;
  /** The nodes of the step before that lead to it. */
  readonly via: readonly string[];
}

/** The graph of these nodes and edges (from what is read to what is made); edges to unknown nodes make them known. */
export function buildGraph(nodes: Iterable<LineageNode>, edges: Iterable<readonly [string, string]>): LineageGraph {
  const known = new Map([...nodes].map((node) => [node.id, node]));
  const parents = new Map<string, Set<string>>();
  const children = new Map<string, Set<string>>();
  for (const [from, to] of edges) {
    for (const id of [from, to]) if (!known.has(id)) known.set(id, { id, type: id.split('.', 1)[0] ?? 'unknown', names: [] });
    add(parents, to, from);
    add(children, from, to);
  }
  return { nodes: known, parents: sorted(parents), children: sorted(children) };
}

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const set = map.get(key);
  if (set) set.add(value);
  else map.set(key, new Set([value]));
}

function sorted(map: ReadonlyMap<string, ReadonlySet<string>>): Map<string, readonly string[]> {
  return new Map([...map].map(([key, set]) => [key, [...set].sort()]));
}

/** All that is reached from a node, breadth first, itself left out; a node counts at its shortest distance. */
export function reach(graph: LineageGraph, start: string, direction: 'upstream' | 'downstream'): readonly Reached[] {
  const next = direction === 'upstream' ? graph.parents : graph.children;
  const depths = new Map([[start, 0]]);
  const via = new Map<string, string[]>();
  let frontier = [start];
  for (let depth = 1; frontier.length > 0; depth++) {
    const found: string[] = [];
    for (const id of frontier)
      for (const other of next.get(id) ?? []) {
        if (!depths.has(other)) {
          depths.set(other, depth);
          found.push(other);
        }
        if (depths.get(other) === depth) via.set(other, [...(via.get(other) ?? []), id]);
      }
    frontier = found;
  }
  depths.delete(start);
  return [...depths].map(([id, depth]) => ({ id, depth, via: via.get(id) ?? [] }));
}

/** A way back to a node from itself, for each group of nodes that lead to one another. */
export function findCycles(graph: LineageGraph, most = 20): readonly (readonly string[])[] {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[][] = [];
  for (const root of graph.nodes.keys()) {
    if (state.has(root)) continue;
    const stack: { id: string; next: number }[] = [{ id: root, next: 0 }];
    state.set(root, 'open');
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const child = graph.children.get(top.id)?.[top.next++];
      if (child === undefined) {
        state.set(top.id, 'done');
        stack.pop();
      } else if (state.get(child) === 'open') {
        const path = stack.map(({ id }) => id);
        cycles.push([...path.slice(path.indexOf(child)), child]);
        if (cycles.length >= most) return cycles;
      } else if (!state.has(child)) {
        state.set(child, 'open');
        stack.push({ id: child, next: 0 });
      }
    }
  }
  return cycles;
}

/** Ids that a name means: the id itself, else those with the name, whatever the case; else those whose last parts are it. */
export function findNodes(graph: LineageGraph, name: string): readonly string[] {
  if (graph.nodes.has(name)) return [name];
  const sought = plain(name);
  const all = [...graph.nodes.values()];
  const exact = all.filter(({ id, names }) => plain(id) === sought || names.some((one) => plain(one) === sought));
  if (exact.length > 0) return exact.map(({ id }) => id);
  return all.filter(({ id, names }) => [id, ...names].some((one) => plain(one).endsWith(`.${sought}`))).map(({ id }) => id);
}

function plain(name: string): string {
  return name.replace(/["`[\]]/g, '').toLowerCase();
}
