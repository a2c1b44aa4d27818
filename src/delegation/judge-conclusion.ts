import type { Conclusion } from '../core/conclusion.ts';

/** What a child's run shows apart from its text. */
export interface ChildRecord {
  /** Ids of the tool results that this child got. */
  readonly resultIds: readonly string[];
  /** The texts of those results. */
  readonly results: readonly string[];
  /** The task as the child saw it: figures given there are not invented. */
  readonly task: string;
  readonly hasTools: boolean;
}

/**
 * A child's own word is not enough: an answer with no tool call behind it, with figures that no result holds, or with
 * evidence that it never got, is `no_evidence` and never `ok`.
 */
export function judgeConclusion(conclusion: Conclusion, record: ChildRecord): Conclusion {
  if (conclusion.status !== 'ok') return conclusion;
  if (!conclusion.text.trim()) return { ...conclusion, status: 'empty', reason: 'the child answered nothing' };
  const objection = findObjection(conclusion, record);
  return objection === undefined ? conclusion : { ...conclusion, status: 'no_evidence', reason: objection };
}

function findObjection(conclusion: Conclusion, record: ChildRecord): string | undefined {
  if (record.hasTools && record.resultIds.length === 0) return 'the child called no tool: nothing stands behind its answer';
  const known = new Set(record.resultIds);
  const cited = [...new Set([...conclusion.evidence, ...citationsIn(conclusion.text)])];
  const foreign = cited.filter((id) => !known.has(id));
  if (foreign.length > 0) return `cites results that it never got: ${foreign.slice(0, 5).join(', ')}`;
  const invented = figuresWithoutSource(conclusion.text, [record.task, ...record.results]);
  return invented.length > 0 ? `figures that no result of its own holds: ${invented.slice(0, 5).join(', ')}` : undefined;
}

/** Result ids as they are cited in a text: `[r3]`, `[c2.r1, c2.r4]`. */
export function citationsIn(text: string): string[] {
  return [...text.matchAll(/\[((?:(?:c\d+\.)*r\d+)(?:\s*,\s*(?:c\d+\.)*r\d+)*)\]/g)].flatMap((match) => (match[1] ?? '').split(/\s*,\s*/));
}

const FIGURE = /(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\w])/g;

/**
 * Figures of the text that stand in none of the sources, as they are or rounded to the digits shown. Whole numbers up to
 * ten pass: they count what the text itself lists.
 */
function figuresWithoutSource(text: string, sources: readonly string[]): string[] {
  const bare = text.replace(/\[[^\]]*\]/g, ' ').replace(/`[^`]*`/g, ' ');
  const wanted = [...new Set(bare.match(FIGURE) ?? [])].filter(
    (figure) => !(Number.isInteger(numeric(figure)) && Math.abs(numeric(figure)) <= 10),
  );
  if (wanted.length === 0) return [];
  // "1,720" is one number in a text and two in a JSON list: either reading counts.
  const held = sources
    .flatMap((source) => source.match(/\d[\d,]*(?:\.\d+)?/g) ?? [])
    .flatMap((figure) => (figure.includes(',') ? [figure, ...figure.split(',')] : figure))
    .filter((figure) => figure !== '');
  const exact = new Set(held.map(plain));
  const values = held.map(numeric);
  return wanted.filter((figure) => !exact.has(plain(figure)) && !isRounded(figure, values));
}

function isRounded(figure: string, values: readonly number[]): boolean {
  const wanted = Math.abs(numeric(figure));
  const digits = /\.(\d+)$/.exec(figure)?.[1]?.length ?? 0;
  const half = 0.5 * 10 ** -digits;
  return values.some((value) => Math.abs(value - wanted) <= half * (1 + 1e-9) && value !== 0);
}

function plain(figure: string): string {
  return figure.replace(/[,+-]/g, '');
}

function numeric(figure: string): number {
  return Number(plain(figure));
}
