import { restsOn, resultLink } from './answer-text.js';
import { h } from './element.js';
import { count, duration, size } from './format.js';
import { badge } from './time-line-view.js';

const PARTS = {
  call: { shown: 'what the model saw', whole: 'all of it', arguments: 'arguments' },
  conclusion: { shown: 'conclusion', whole: 'all of it', arguments: 'task' },
};

/** A call's arguments and result, a page of them: `pages` are those that were fetched so far. */
export function resultPanel(pages, { onPart, onMore, onClose }) {
  const [first] = pages;
  const last = pages.at(-1);
  const { id, kind, name, agent, step, status, complete, elapsedMs, part, parts, again, characters } = first;
  const shown = pages.map(({ text }) => text).join('');
  const facts = [
    `${agent}, step ${step}`,
    elapsedMs === undefined ? '' : duration(elapsedMs),
    complete === false ? 'incomplete' : '',
    size(characters),
  ];
  return [
    panelHead(`${kind === 'event' ? '' : `${id} `}${name}`, onClose),
    h('p', { class: 'facts' }, badge(status), ` ${facts.filter(Boolean).join(' · ')}`),
    parts.length > 1 &&
      h(
        'p',
        { class: 'parts', role: 'group', 'aria-label': 'Which part' },
        parts.map((one) =>
          h(
            'button',
            { type: 'button', 'aria-pressed': String(one === part), on: { click: () => onPart(one) } },
            PARTS[kind]?.[one] ?? one,
          ),
        ),
      ),
    h('pre', { class: 'payload', tabindex: '0' }, shown === '' ? '(empty)' : shown),
    last.next !== undefined &&
      h('button', { type: 'button', id: 'more-text', on: { click: onMore } }, `More: ${count(characters - last.next)} characters are left`),
    again && [h('h3', {}, 'Run it again'), h('pre', { tabindex: '0' }, again)],
  ]
    .filter(Boolean)
    .flat();
}

/** What a figure of the answer rests on; `explanation` is what `soloist trace why` tells of it, once it is there. */
export function figurePanel(figure, { session, explanation, onClose }) {
  const origins = explanation?.sources ?? [];
  const of = ({ result, path }) => origins.find((one) => one.result === result && one.path === path);
  // Where the check of the answer names no result, the search of the results may still have found one.
  const sources = figure.sources.length > 0 ? figure.sources : origins;
  return [
    panelHead(figure.text, onClose),
    h(
      'p',
      { class: figure.status === 'unsupported' ? 'alarm' : '' },
      badge(figure.status === 'unsupported' ? 'unsupported' : ''),
      ` ${restsOn(figure)}`,
    ),
    sources.length > 0 &&
      h(
        'ul',
        { class: 'origins' },
        sources.map((source) => h('li', {}, originView(source, of(source), session))),
      ),
    figure.status === 'unsupported' &&
      sources.length > 0 &&
      h('p', { class: 'quiet' }, 'These results hold the number; the check did not take them for what the answer says.'),
    !explanation && h('p', { class: 'quiet', role: 'status' }, 'Looking it up…'),
  ].filter(Boolean);
}

function originView({ result, path, through }, origin, session) {
  return [
    resultLink(result, session),
    ` ${origin ? `${origin.tool} ` : ''}`,
    h('code', {}, path),
    origin && [' = ', h('strong', {}, origin.value)],
    through && ` (through ${through})`,
    origin &&
      h(
        'p',
        { class: 'facts' },
        `${origin.way.join(' → ')} → step ${origin.step} · ${origin.status}${origin.complete ? '' : ', incomplete'}${origin.asOf ? ` · as of ${origin.asOf}` : ''}`,
      ),
    origin?.again && h('pre', { tabindex: '0' }, origin.again),
  ];
}

/** In place of what could not be fetched. */
export function errorPanel({ message, fix }, { onClose }) {
  return [panelHead('Not shown', onClose), h('p', { class: 'alarm', role: 'alert' }, [message, fix].filter(Boolean).join('; '))];
}

function panelHead(title, onClose) {
  return h(
    'div',
    { class: 'panel-head' },
    h('h2', { id: 'panel-title' }, title),
    h('button', { type: 'button', on: { click: onClose } }, 'Close'),
  );
}
