import { z } from 'zod';
import { objectOf, objectsOf, textOf } from '../artifacts/read-artifact.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { moment } from './gather-runs.ts';
import { datasetsOf, type LineageEvent } from './read-lineage-events.ts';

export const schemaChange = z.object({
  dataset: z.string(),
  job: z.string().nullable().describe('whose event first has the new schema'),
  seen_at: z.string().nullable(),
  last_seen_before_at: z.string().nullable().describe('when the old schema was last seen'),
  removed: z.array(z.string()),
  added: z.array(z.string()),
  retyped: z.array(z.string()).describe('column: old type → new type'),
  newest: z.boolean().describe('whether the dataset has had no other schema since'),
});

interface Seen {
  readonly fields: ReadonlyMap<string, string>;
  readonly at: string | null;
}

const MOST_COLUMNS = 12;

/** Where the schema facet of a dataset differs from the one that was last told of it, the newest change first. */
export function schemaChanges(events: readonly LineageEvent[]): z.output<typeof schemaChange>[] {
  const last = new Map<string, Seen>();
  const changes: z.output<typeof schemaChange>[] = [];
  const inTime = [...events].sort((left, right) => (moment(left.time) || 0) - (moment(right.time) || 0));
  for (const { value, job, time } of inTime)
    for (const { name, value: dataset } of [...datasetsOf(value, 'inputs'), ...datasetsOf(value, 'outputs')]) {
      const listed = objectsOf(objectOf(objectOf(dataset.facets).schema).fields);
      const fields = new Map(
        listed.flatMap((one) => (textOf(one.name) === undefined ? [] : [[textOf(one.name) ?? '', textOf(one.type) ?? '']])),
      );
      if (fields.size === 0) continue;
      const before = last.get(name);
      const change = before && compare(before.fields, fields);
      if (change)
        changes.push({ dataset: shortenText(name, 160), job, seen_at: time, last_seen_before_at: before.at, ...change, newest: true });
      last.set(name, { fields, at: time });
    }
  const told = new Set<string>();
  return changes.reverse().map((one) => {
    const newest = !told.has(one.dataset);
    told.add(one.dataset);
    return { ...one, newest };
  });
}

function compare(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) {
  const removed = [...before.keys()].filter((name) => !now.has(name));
  const added = [...now.keys()].filter((name) => !before.has(name));
  const retyped = [...now].flatMap(([name, type]) => {
    const old = before.get(name);
    return old === undefined || old === '' || type === '' || old.toLowerCase() === type.toLowerCase() ? [] : [`${name}: ${old} → ${type}`];
  });
  if (removed.length + added.length + retyped.length === 0) return undefined;
  const shown = (names: readonly string[]): string[] => names.slice(0, MOST_COLUMNS).map((name) => shortenText(name, 120));
  return { removed: shown(removed), added: shown(added), retyped: shown(retyped) };
}
