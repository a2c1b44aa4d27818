import { complete, noData, partial, type ToolOutcome } from '../../src/core/tool-result.ts';
import type { ListShortener } from '../runs/shorten-lists.ts';

/** The most characters of a result with its warnings, its id and what the loop adds. */
const CHARACTERS = 9_500;
const FRAME = 350;

interface Listed {
  returned: number;
  readonly items: unknown[];
}

/** How a result ends: what was cut on the way, whether all was read, and what it counts. */
export interface Ending {
  readonly lists: ListShortener;
  /** False where something that matters could not be read. */
  readonly whole: boolean;
  readonly now: Date;
  readonly total?: number;
  readonly returned?: number;
  readonly nothing?: boolean;
}

/**
 * The outcome of a tool whose lists are `{total, returned, items}`, within what one result may take: where it is longer
 * still, the longest lists lose their last items, whole ones, until it fits. It is complete only when nothing was cut.
 */
export function answerLists<Data extends object>(data: Data, { lists, whole, now, total, returned, nothing }: Ending): ToolOutcome<Data> {
  const warnings = lists.warnings();
  const room = CHARACTERS - FRAME - JSON.stringify(warnings).length;
  const trimmed = trimLists(data, room);
  if (trimmed > 0)
    warnings.push({
      code: 'list_shortened',
      message: `${trimmed} more items were left out so that the result fits; ask for less, or narrow it`,
    });
  const extra = { warnings, asOf: now, ...(total === undefined ? {} : { total }), ...(returned === undefined ? {} : { returned }) };
  if (nothing && whole) return noData(data, extra);
  return whole && !lists.cut && trimmed === 0 ? complete(data, extra) : partial(data, extra);
}

/** Takes items off the longest lists until the data fits; answers how many. */
function trimLists(data: object, room: number): number {
  let size = JSON.stringify(data).length;
  if (size <= room) return 0;
  const lists = findLists(data, 0).map((list) => ({ list, sizes: list.items.map((item) => JSON.stringify(item).length + 1) }));
  const weights = new Map(lists.map(({ list, sizes }) => [list, sizes.reduce((sum, one) => sum + one, 0)]));
  let taken = 0;
  while (size > room) {
    const longest = lists
      .filter(({ list }) => list.items.length > 0)
      .sort((left, right) => (weights.get(right.list) ?? 0) - (weights.get(left.list) ?? 0))[0];
    if (!longest) break;
    const freed = longest.sizes[longest.list.items.length - 1] ?? 0;
    longest.list.items.pop();
    longest.list.returned = longest.list.items.length;
    weights.set(longest.list, (weights.get(longest.list) ?? 0) - freed);
    size -= freed;
    taken++;
  }
  return taken;
}

function findLists(value: unknown, depth: number): Listed[] {
  if (value === null || typeof value !== 'object' || depth > 3) return [];
  const one = value as Partial<Listed>;
  if (Array.isArray(one.items) && typeof one.returned === 'number') return [one as Listed];
  return Object.values(value).flatMap((child) => findLists(child, depth + 1));
}
