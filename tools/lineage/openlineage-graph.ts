import { buildGraph, type LineageGraph, type LineageNode } from './lineage-graph.ts';
import { datasetsOf, type LineageEvent } from './read-lineage-events.ts';

/** Datasets and jobs: a job reads its inputs and writes its outputs. */
export function openLineageGraph(events: readonly LineageEvent[]): LineageGraph {
  const nodes = new Map<string, LineageNode>();
  const edges: [string, string][] = [];
  const know = (id: string, type: string): string => {
    if (!nodes.has(id)) nodes.set(id, { id, type, names: [id.slice(id.lastIndexOf('/') + 1), id.slice(id.indexOf('/') + 1)] });
    return id;
  };
  for (const { job, value } of events) {
    if (job === null) continue;
    for (const { name } of datasetsOf(value, 'inputs')) edges.push([know(name, 'dataset'), know(job, 'job')]);
    for (const { name } of datasetsOf(value, 'outputs')) edges.push([know(job, 'job'), know(name, 'dataset')]);
  }
  return buildGraph(nodes.values(), edges);
}
