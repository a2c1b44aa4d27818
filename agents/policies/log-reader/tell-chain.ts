import { clock, enumerate } from '../investigator/read-data.ts';
import type { CauseChain, Link } from './trace-cause.ts';

const TEXT_CHARACTERS = 150;
const MOST_TASKS = 6;

/** The chain in the order of time: where it began, the first error, what only followed; then how the tasks ended. */
export function tellChain({ facts, summary, error, before, later }: CauseChain): string {
  const id = `[${summary.id}]`;
  const [origin, ...between] = before;
  const lines = error
    ? [
        ...(origin ? [`It began: ${tell(origin)}`] : []),
        ...between.map((link) => `Then: ${tell(link)}`),
        `${origin ? 'First error' : 'First error, and the first cause that the logs hold'}: ${tell(error)}`,
        ...later.map((link) => `${link.follows ? 'Only a consequence' : 'Later'}: ${tell(link)}`),
      ]
    : [`The logs hold no error ${id}`];
  const tasks = facts.tasks.map((task) => {
    const tries = task.number('attempts') ?? 1;
    return `\`${task.text('task') ?? '?'}\` ${task.text('final_state') ?? 'unknown'} after ${tries} ${tries === 1 ? 'attempt' : 'attempts'}`;
  });
  const shown = tasks.slice(0, MOST_TASKS);
  const doubts = doubtsOf({ facts, summary });
  return [
    ...lines,
    ...(shown.length > 0 ? [`Tasks: ${enumerate(shown)}${tasks.length > shown.length ? ' and others' : ''} ${id}`] : []),
    ...(doubts.length > 0 ? [`To be known: ${enumerate(doubts)} ${id}`] : []),
  ].join('\n');
}

function doubtsOf({ facts, summary }: Pick<CauseChain, 'facts' | 'summary'>): string[] {
  return [
    ...(facts.unparsable > 0 ? [`${counted(facts.unparsable, 'line')} could not be parsed`] : []),
    ...(facts.withoutZone > 0 ? [`${counted(facts.withoutZone, 'record')} without a time zone, read as UTC`] : []),
    ...(facts.withoutTime > 0 ? [`${counted(facts.withoutTime, 'record')} without a time`] : []),
    ...(summary.complete ? [] : ['the summary does not show every event']),
  ];
}

function counted(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

function tell({ time, task, text, evidence }: Link): string {
  const when = time === null ? 'time unknown' : clock(time);
  return `${when}${task === null ? '' : ` \`${task}\``} "${clip(text)}" [${evidence.join(', ')}]`;
}

/** Ends at a word, so that no number is cut in two. */
function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= TEXT_CHARACTERS) return line;
  return `${line.slice(0, TEXT_CHARACTERS).replace(/\S+$/, '')}…`;
}
