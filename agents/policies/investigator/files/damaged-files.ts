import { type Finding, NOTHING, type PartReport, tell } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { dayInName } from './examine-file-gaps.ts';
import type { Layout } from './file-layout.ts';

/** Shares of the middle number of rows below and above which a file of a series of at least so many is far from the others. */
const FEW = 0.6;
const MANY = 1.7;
/** The same of a file of a day that the question names. */
const FEW_AS_ASKED = 0.8;
const MANY_AS_ASKED = 1.25;
const LEAST_FILES = 4;

/** Files that hold far fewer or more rows than the middle one, or whose last line was cut. */
export function damagedFiles(layouts: readonly Layout[], question?: Question): PartReport {
  const counts = layouts.flatMap(({ profile }) => (profile?.rows === null || profile === undefined ? [] : [profile.rows]));
  const usual = [...counts].sort((left, right) => left - right)[Math.floor(counts.length / 2)] ?? 0;
  const like = layouts.filter(({ profile }) => profile?.rows === usual);
  const found = layouts.flatMap((layout): Finding[] => {
    const rows = layout.profile?.rows ?? null;
    const day = dayInName(layout.table.name);
    const named = day !== undefined && question?.days.some((one) => day.endsWith(one)) === true;
    const [few, many] = named ? [FEW_AS_ASKED, MANY_AS_ASKED] : [FEW, MANY];
    const isFar = rows !== null && (rows <= usual * few || rows >= usual * many) && Math.abs(rows - usual) > 3 * Math.sqrt(usual);
    const usualOne =
      isFar && layouts.length >= LEAST_FILES ? (like.findLast(({ table }) => table.name < layout.table.name) ?? like[0]) : undefined;
    const count = usualOne ? [`has ${rows} rows, where \`${usualOne.title}\` has ${usual}`] : [];
    const faults = layout.faults.map((fault) => faultText(fault, rows));
    if (count.length + faults.length === 0) return [];
    return [
      {
        kind: 'cause',
        claim: `\`${layout.title}\` ${[...(count.length > 0 ? count : ['was cut']), ...faults].join('; ')}.`,
        evidence: [layout, ...(usualOne ? [usualOne] : [])].flatMap(({ profile, result }) => [
          ...(profile ? [profile.result] : []),
          result,
        ]),
        confidence: 'high',
        refuted_by: 'a file of that day that is whole, with as many rows',
      },
    ];
  });
  if (found.length * 3 > layouts.length) return NOTHING;
  return tell(...found);
}

/** What is no row is, behind the last of the rows, a line that was not written to its end. */
function faultText(fault: string, rows: number | null): string {
  const [, line] = /\(line (\d+): /.exec(fault) ?? [];
  if (line !== undefined && Number(line) === (rows ?? 0) + 1) return `it ends within line ${line}, which was cut`;
  return fault.replace(/^line/, 'in line');
}
