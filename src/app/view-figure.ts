import type { Event } from '../core/event.ts';
import type { CommandPlace } from '../trace/again-command.ts';
import { explainFigure, type FigureExplanation } from '../trace/explain-figure.ts';
import type { SessionReading } from './follow-session.ts';
import type { TraceLog } from './trace-log.ts';
import { traceFigure } from './trace-why.ts';

export interface FigureRequest {
  readonly log: TraceLog;
  readonly session: string;
  readonly reading: SessionReading;
  readonly place: CommandPlace;
}

/**
 * What `soloist trace why` tells of a figure. Where the check of the answer names the results that it rests on, only these are read, not
 * the whole session.
 *
 * @throws SoloistError as {@link traceFigure}
 */
export function explainFromReading({ log, session, reading, place }: FigureRequest, figure: string): FigureExplanation {
  const checked = reading.report.figures.find(({ text }) => text === figure.trim());
  if (checked === undefined || (checked.sources.length === 0 && checked.status !== 'given'))
    return traceFigure(log, session, figure, place);
  const calls = checked.sources.flatMap(({ result }) => {
    const { called, finished } = reading.calls.get(result) ?? {};
    return [called, finished].filter((position) => position !== undefined);
  });
  const positions = [...new Set([...reading.telling, ...calls])].sort((left, right) => left - right);
  return explainFigure(session, eventsAt(log, positions), { figure, place, getBlob: (hash) => log.getBlob(hash) });
}

const BATCH = 128;

function* eventsAt(log: TraceLog, positions: readonly number[]): Iterable<Event> {
  for (let from = 0; from < positions.length; from += BATCH)
    for (const { event } of log.pages.at(positions.slice(from, from + BATCH))) yield event;
}
