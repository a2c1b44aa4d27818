import { SoloistError } from '../core/errors.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import type { CommandPlace } from '../trace/again-command.ts';
import { explainFigure, type FigureExplanation } from '../trace/explain-figure.ts';
import { type Paint, PLAIN } from '../trace/paint.ts';
import { renderFigure } from '../trace/render-figure.ts';
import { numberOf } from '../trace/search-figure.ts';

/**
 * From a figure of a session's answer to the calls it rests on.
 *
 * @throws SoloistError `usage` for a text without a digit; `not_found` for the session
 */
export function traceFigure(log: StoredEventLog, reference: string, figure: string, place: CommandPlace = {}): FigureExplanation {
  if (numberOf(figure) === undefined && !/\d/.test(figure)) {
    throw new SoloistError('usage', `"${figure}" is no figure`, {
      fix: 'give a number as it stands in the answer, e.g. soloist trace why 1,234',
    });
  }
  const { session } = log.findSession(reference);
  return explainFigure(session, log.read(session), { figure, place, getBlob: (hash) => log.getBlob(hash) });
}

export function renderExplanation(explanation: FigureExplanation, paint: Paint = PLAIN): string {
  return renderFigure(explanation, paint);
}
