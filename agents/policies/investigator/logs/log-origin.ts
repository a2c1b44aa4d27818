import { clock } from '../read-data.ts';
import { describeEvent, type LogEvent, type LogFacts } from './log-facts.ts';
import { CHANGED, saidBy } from './log-messages.ts';

const NEAR_LINES = 5;

/** A warning before the first error that names something the error names too is where it began. */
export function originOf(facts: LogFacts): { readonly error: LogEvent | null; readonly origin: LogEvent | null } {
  const { firstWarning: warning } = facts;
  const [loud, quiet] = [facts.firstError, facts.firstQuietError];
  const error = loud && quiet && isBefore(quiet, loud) ? quiet : (loud ?? quiet);
  const origin = error && warning && isBefore(warning, error) && sharesName(warning.text, error.text) ? warning : error;
  return { error, origin };
}

function isBefore(left: LogEvent, right: LogEvent): boolean {
  return left.time !== null && right.time !== null && left.time < right.time;
}

/** Whether both texts hold a same word that is the name of something: a table, a column, a file, a host. */
function sharesName(left: string, right: string): boolean {
  const known = namesIn(left);
  return [...namesIn(right)].some((name) => known.has(name));
}

/** Words that look like names, the parts of dotted ones, and the word after what a thing is (`table orders`). */
function namesIn(text: string): ReadonlySet<string> {
  const looking = (text.match(/[A-Za-z][\w.-]*[_.\d][\w.-]*|"[^"]{3,40}"|'[^']{3,40}'/g) ?? []).map((name) => name.replace(/["']/g, ''));
  const parts = looking.flatMap((name) => name.split('.')).filter((part) => part.length > 3);
  const said = [
    ...text.matchAll(
      /\b(?:table|column|relation|view|schema|database|file|bucket|topic|queue|role|user|field)\s+["'`]?([A-Za-z_][\w-]{2,})/gi,
    ),
  ].map(([, name = '']) => name);
  return new Set([...looking, ...parts, ...said]);
}

/** The warning that the same file gives just before its error, where that is not where it began already. */
export function warnedBefore(error: LogEvent, origin: LogEvent, { timeline }: LogFacts): string {
  const at = error.line ?? 0;
  const near = timeline.filter(
    ({ kind, file, line }) => kind === 'warning' && file === error.file && line !== null && line < at && at - line <= NEAR_LINES,
  );
  const last = near.at(-1);
  return last && origin === error ? `Just before it: ${describeEvent(last)}.` : '';
}

/** So long before the first error a change of the program may have brought it. */
const JUST_BEFORE = 15 * 60_000;
const FEW_TIMES = 3;

/** A line of the time just before the first error that tells of a new version or setting, and is hardly ever logged. */
export function changedBefore(origin: LogEvent, { messages }: LogFacts): string {
  const at = Date.parse(origin.time ?? '');
  const near = messages.filter((one) => {
    const [last, said] = [Date.parse(one.text('last') ?? ''), saidBy(one)];
    return last <= at && at - last <= JUST_BEFORE && (one.number('count') ?? 0) <= FEW_TIMES && CHANGED.test(said) && said !== origin.text;
  });
  const [last] = [...near].sort((left, right) => (right.text('last') ?? '').localeCompare(left.text('last') ?? ''));
  return last ? `Just before it: ${clock(last.text('last'))} "${saidBy(last).slice(0, 200)}".` : '';
}
