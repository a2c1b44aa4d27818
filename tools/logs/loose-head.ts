import { readLevel } from './log-record.ts';
import type { Head } from './parse-json-line.ts';
import { readTimestamp, type Stamp } from './read-timestamp.ts';
import { timed, untimed } from './timed-head.ts';

/** Figures and marks alone, then a word in capitals: `[10:00:01.123] ERROR (1): …`, `"2026-05-01 10:00:00","ERROR","…"`, `* ERROR: …`. */
const LEVELLED = /^([\d\s[\]():.,/+"'|*•TZ-]{0,60}(?:[AP]M\s)?)\b([A-Z]{3,8})\b(?![a-z_=])(.*)$/;
const LOGRUS = /^(DEBU|INFO|WARN|ERRO|FATA|PANI)\[\d+\] (.*)$/;
const LOGRUS_LEVELS: Readonly<Record<string, string>> = { DEBU: 'DEBUG', ERRO: 'ERROR', FATA: 'FATAL', PANI: 'PANIC' };
const DATE = /(\d{4})[-/]?(\d{1,2})[-/]?(\d{1,2})[T -]{1,2}(\d{1,2}):?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(Z|[+-]\d\d:?\d\d))?(?!\d)/;
/** Such a date at the beginning, with a mark around it or a number of the process before it. */
const DATED = new RegExp(String.raw`^(?:\[\d{1,7}\] )?[[("]?${DATE.source}[\])"]?[\s,:|-]+(.*)$`);

/** The head of a line in no known layout: a level behind figures and marks, or a date in another writing than the usual. */
export function looseHead(line: string, stamp: Stamp): Head | undefined {
  const logrus = LOGRUS.exec(line);
  const [, before = '', word = '', behind = ''] = logrus ? [] : (LEVELLED.exec(line) ?? []);
  // A number alone in front counts what the word names.
  const counts = before !== '' && /^[\d\s.,]*$/.test(before);
  const level = logrus ? readLevel(LOGRUS_LEVELS[logrus[1] ?? ''] ?? logrus[1] ?? '') : counts ? null : readLevel(word);
  if (level !== null) {
    const message = logrus ? (logrus[2] ?? '') : behind.replace(/^[\])"',:|\s-]+/, '').replace(/"$/, '');
    if (readDate(before, stamp)) return timed('iso_text', stamp, { level, message });
    return untimed('plain_text', { level, message }, /\d:\d/.test(before) ? before.trim().slice(0, 40) : undefined);
  }
  const dated = DATED.exec(line);
  return dated && readDate(line.slice(0, line.length - (dated.at(-1)?.length ?? 0)), stamp)
    ? timed('iso_text', stamp, { level: null, message: dated.at(-1) ?? '' })
    : undefined;
}

function readDate(text: string, stamp: Stamp): boolean {
  const found = DATE.exec(text);
  if (!found) return false;
  const [, year, month = '', day = '', hour = '', minute, second = '00', fraction, zone = ''] = found;
  const two = (part: string): string => part.padStart(2, '0');
  return readTimestamp(
    `${year}-${two(month)}-${two(day)} ${two(hour)}:${minute}:${second}${fraction ? `.${fraction}` : ''}${zone}`,
    0,
    stamp,
  );
}
