import type { DbtManifest } from '../dbt/dbt-manifest.ts';
import { buildGraph, type LineageGraph } from './lineage-graph.ts';

/** The graph of a dbt project; tests are nodes of their own unless they are left out. */
export function dbtGraph(manifest: DbtManifest, { tests }: { readonly tests: boolean }): LineageGraph {
  const nodes = [...manifest.nodes.values()].filter((node) => tests || !isTest(node.type));
  return buildGraph(
    nodes.map(({ id, type, name, relation, file }) => ({
      id,
      type,
      names: [name, ...(relation === null ? [] : [relation])],
      file: file ?? undefined,
    })),
    nodes.flatMap((node) =>
      node.parents
        .filter((parent) => tests || !isTest(manifest.nodes.get(parent)?.type ?? ''))
        .map((parent): [string, string] => [parent, node.id]),
    ),
  );
}

export function isTest(type: string): boolean {
  return type === 'test' || type === 'unit_test';
}
