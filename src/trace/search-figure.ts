import { type Leaf, leavesOf } from './json-path.ts';

/** Where a figure stands in a result. */
export interface FigureHit {
  readonly path: string;
  readonly value: string;
  /** `exact` as written, `equal` after a change of format, `rounded` to the digits asked for. */
  readonly how: 'exact' | 'equal' | 'rounded';
}

const ORDER = { exact: 0, equal: 1, rounded: 2 } as const;

/** The number that a figure is, whatever surrounds it: `1,234 rows` is 1234, `12.5 %` is 12.5. A date or a time is none. */
export function numberOf(figure: string): number | undefined {
  if (/\d[-:/]\d/.test(figure)) return undefined;
  const digits = /[-+]?\d[\d,_ ]*(?:\.\d+)?/.exec(figure)?.[0].replace(/[,_ ]/g, '');
  return digits === undefined || digits === '' ? undefined : Number(digits);
}

/** The places of a JSON document that hold the figure, the closest readings first. */
export function searchFigure(document: unknown, figure: string): FigureHit[] {
  const wanted = { text: figure.trim(), number: numberOf(figure), half: 0.5 * 10 ** -decimalsOf(figure) };
  const hits: FigureHit[] = [];
  for (const leaf of leavesOf(document)) {
    const how = match(leaf, wanted);
    if (how) hits.push({ path: leaf.path, value: String(leaf.value), how });
  }
  return hits.sort((left, right) => ORDER[left.how] - ORDER[right.how]);
}

function decimalsOf(figure: string): number {
  return /\.(\d+)/.exec(figure)?.[1]?.length ?? 0;
}

interface Wanted {
  readonly text: string;
  readonly number: number | undefined;
  readonly half: number;
}

function match({ value }: Leaf, { text, number, half }: Wanted): FigureHit['how'] | undefined {
  if (String(value) === text) return 'exact';
  if (typeof value === 'string' && standsIn(value, text)) return 'exact';
  if (number === undefined || typeof value === 'boolean') return undefined;
  if (typeof value === 'string') {
    const numbers = value.match(/(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\w])/g) ?? [];
    return numbers.some((one) => numberOf(one) === number) ? 'equal' : undefined;
  }
  if (value === number) return 'equal';
  return !Number.isInteger(value) && Math.abs(Math.abs(value) - Math.abs(number)) <= half * (1 + 1e-9) ? 'rounded' : undefined;
}

/** As a whole, not as a part of a longer number or word; a unit or the time of a day may follow. */
function standsIn(value: string, text: string): boolean {
  for (let at = value.indexOf(text); at >= 0; at = value.indexOf(text, at + 1)) {
    const before = value[at - 1] ?? ' ';
    const after = value[at + text.length] ?? ' ';
    if (!/[\w.]/.test(before) && !/[\d_]/.test(after) && !/^[.,]\d/.test(value.slice(at + text.length))) return true;
  }
  return false;
}
