import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { cite, type Finding, NOTHING, type PartReport } from '../part-report.ts';
import { clock, enumerate, figure, type Reading, read } from '../read-data.ts';

/** A silence of a longer time lies between two runs, and says nothing of either. */
const MOST_SECONDS = 6 * 3600;
const MOST_FILES = 3;

/** Where logs fell silent for far longer than ever else, and where their clock went back: what happened then they do not say. */
export function silences(result: ToolResult, { lead }: { readonly lead: boolean }): PartReport {
  const files = read(result.data).at('files').list('items');
  const claims = [
    ...files.filter((file) => (file.at('silence').number('seconds') ?? Number.POSITIVE_INFINITY) <= MOST_SECONDS).map(silenceText),
    ...files.filter((file) => file.at('clock_went_back').number('times') !== null).map(backText),
  ].slice(0, MOST_FILES);
  if (claims.length === 0) return NOTHING;
  const findings = claims.map((claim): Finding => ({ kind: 'observation', claim: `${claim}.`, evidence: [result.id], confidence: 'high' }));
  return { answer: lead ? [`${enumerate(claims)}${cite(result)}.`] : [], detail: [], findings };
}

function silenceText(file: Reading): string {
  const silence = file.at('silence');
  return `\`${file.text('file') ?? ''}\` holds no line from ${clock(silence.text('from'))} to ${clock(silence.text('to'))}, ${figure(silence.number('seconds'))} s, the next longest silence being ${figure(silence.number('next_longest_s'))} s: the process stood still, or these lines are lost`;
}

function backText(file: Reading): string {
  const back = file.at('clock_went_back');
  return `The clock of \`${file.text('file') ?? ''}\` goes back, times ${figure(back.number('times'))}, the first of them at ${clock(back.text('from'))}, behind which stands ${clock(back.text('to'))}: the order of its lines is not the order of its times`;
}
