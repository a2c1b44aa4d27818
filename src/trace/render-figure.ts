import { clip } from './clip-text.ts';
import type { FigureExplanation, FigureOrigin } from './explain-figure.ts';
import type { Paint } from './paint.ts';

/** The way from a figure to the calls behind it, and how to run them again. */
export function renderFigure(explanation: FigureExplanation, paint: Paint): string {
  const { figure, status, formula, reason, session, answers, findings, sources } = explanation;
  const says: Readonly<Record<FigureExplanation['status'], string>> = {
    stated: paint.good('stated by a tool result'),
    derived: paint.good('derived from tool results'),
    given: 'given in the question',
    unsupported: paint.bad('unsupported'),
    found: 'found in tool results (the log has no check of this figure)',
    not_found: paint.bad('in no tool result of the session'),
  };
  const places = [
    ...(answers.length > 0 ? [`in the answer of ${answers.join(', ')}`] : []),
    ...(findings.length > 0
      ? [`under the findings ${findings.map(({ agent, id }) => (agent === 'main' ? id : `${id} of ${agent}`)).join(', ')}`]
      : []),
  ];
  const where = places.length > 0 ? ` · stands ${places.join(' and ')}` : ' · stands in no answer';
  const head = `${paint.bold(figure)}: ${says[status]}${reason ? ` (${reason})` : ''}${where} · session ${session}`;
  const parts = [...(formula ? [`formula: ${formula}`] : []), ...sources.map((source) => origin(source, paint))];
  return `${[head, ...parts].join('\n\n')}\n`;
}

function origin(source: FigureOrigin, paint: Paint): string {
  const asOf = source.asOf === undefined ? '' : `, as of ${source.asOf}`;
  const lines = [
    `${paint.bold(`${source.result} ${source.tool}`)}  ${source.path} = ${clip(source.value, 160)}`,
    `  way       ${[...source.way, `step ${source.step}`, source.result].join(' → ')}`,
    `  arguments ${JSON.stringify(source.arguments)}`,
    `  result    ${source.status}${source.complete ? ', complete' : ', incomplete'}${asOf}`,
    ...(source.again === undefined ? [] : [`  again     ${source.again}`]),
  ];
  return lines.join('\n');
}
