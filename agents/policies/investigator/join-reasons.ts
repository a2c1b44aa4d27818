import type { PartReport } from './part-report.ts';

/** What a sentence begins with that says what logs tell of the time when something broke. */
export const LOGS_OF_THAT_TIME = 'The logs of that time';
/** The same of changes between runs of dbt. */
const OF_DBT = /^Changed between the dbt runs\b/;

/**
 * The same reports, in which the first sentence also says what logs or a change of models tell of that time: what broke and why it
 * did stand together. Where nothing that broke was found, what the logs tell stands alone before all else.
 */
export function joinReasons(reports: readonly PartReport[], { ofData }: { readonly ofData: boolean }): readonly PartReport[] {
  const isReason = (text: string): boolean => text.startsWith(LOGS_OF_THAT_TIME) || (ofData && OF_DBT.test(text));
  const lead = reports.find(({ answer }) => answer.length > 0);
  const [reason] = reports.flatMap(({ answer }) => answer).filter(isReason);
  const [first = ''] = lead?.answer ?? [];
  if (!lead || reason === undefined || isReason(first)) return reports;
  const hasCause = lead.findings.some(({ kind }) => kind === 'cause');
  if (!hasCause && reports.some(({ findings }) => findings.some(({ kind }) => kind === 'cause'))) return reports;
  const joined = hasCause ? `${first.replace(/\.$/, '')}; ${reason.charAt(0).toLowerCase()}${reason.slice(1)}` : reason;
  return reports.map((report) => {
    const rest = report.answer.filter((text) => text !== reason);
    if (report !== lead) return { ...report, answer: rest };
    return { ...report, answer: [joined, ...(hasCause ? rest.slice(1) : rest)] };
  });
}
