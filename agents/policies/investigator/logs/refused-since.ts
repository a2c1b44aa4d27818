import type { Play } from '../../../../src/core/policy.ts';
import { LOGS_OF_THAT_TIME } from '../join-reasons.ts';
import { callIfOffered, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { clock, read } from '../read-data.ts';

const LISTED = 200;
const NIGHT = 12 * 3_600_000;
/** What stands before the status of an answer of HTTP. */
const SAYS = String.raw`(?:\bHTTP\b|\bstatus(?:[ _]?code)?\b|->|=>|\breturned\b|\bresponse\b|\bgot\b)\W{0,4}(?:HTTP\W{0,3}(?:\d\.\d )?)?`;

/** Lines with a status that refuses or fails; in access logs it stands behind the request in quotes. */
function patternOf(status: string): string {
  return String.raw`${SAYS}(${status})\b|" (${status}) \d+`;
}

const ANY = '[45]\\d\\d';

/** Requests that were refused or failed from one of the days on, and never before; without days, from any time on after the beginning. */
export async function refusedSince(play: Play, source: string, days: readonly string[]): Promise<PartReport> {
  const search = (pattern: string, limit: number) => callIfOffered(play, 'search_logs', { source, pattern, limit });
  const [found, start] = await Promise.all([search(patternOf(ANY), LISTED), search('.', 1)]);
  if (!usable(found) || !usable(start)) return NOTHING;
  const begin = Date.parse(read(start.data).list('matches')[0]?.text('time') ?? '');
  const lines = read(found.data)
    .list('matches')
    .flatMap((match) => {
      const [text, time] = [match.text('text') ?? '', match.text('time')];
      const [, said, quoted] = new RegExp(patternOf(ANY), 'i').exec(text) ?? [];
      const status = said ?? quoted;
      return status === undefined || time === null ? [] : [{ status, time, text }];
    });
  const isOn = (time: number): boolean =>
    [time, time - NIGHT].some((at) => days.some((day) => new Date(at).toISOString().slice(0, 10).endsWith(day)));
  const first = lines.find(({ status, time }) => {
    if (lines.find((line) => line.status === status)?.time !== time) return false;
    return days.length > 0 ? isOn(Date.parse(time)) : Date.parse(time) > begin;
  });
  if (!first || lines.filter(({ status }) => status === first.status).length < 2) return NOTHING;
  const counted = await search(patternOf(first.status), 1);
  if (!usable(counted)) return NOTHING;
  const total = read(counted.data).number('total_matches') ?? 0;
  return tell({
    kind: 'observation',
    claim: `${LOGS_OF_THAT_TIME}, and of no time before it, hold ${total} lines of requests that were refused or failed (total_matches ${total}), the first ${clock(first.time)} "${first.text.slice(0, 200)}".`,
    evidence: [counted.id, found.id],
    confidence: 'medium',
    refuted_by: 'the same answers at times when the data are whole',
  });
}
