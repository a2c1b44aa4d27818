import { h } from './element.js';
import { markdown } from './markdown.js';

/**
 * Where the figures of an answer stand in it. They come in the order of the answer; one that is not found behind the one before
 * is left out.
 *
 * @returns `{from, to, index}` of each, in order
 */
export function placeFigures(answer, figures) {
  const places = [];
  let behind = 0;
  for (const [index, { text }] of figures.entries()) {
    const from = text === '' ? -1 : findWhole(answer, text, behind);
    if (from < 0) continue;
    behind = from + text.length;
    places.push({ from, to: behind, index });
  }
  return places;
}

/** Not as a part of a longer number, date or name. */
function findWhole(answer, text, from) {
  for (let at = answer.indexOf(text, from); at >= 0; at = answer.indexOf(text, at + 1)) {
    const [before, after] = [answer.slice(Math.max(0, at - 2), at), answer.slice(at + text.length, at + text.length + 2)];
    const inside = /^\d/.test(text) && /[\w.]$|\d[-:/,]$/.test(before);
    const goesOn = /\d$/.test(text) && /^[\d_]|^[-:/.,]\d/.test(after);
    if (!inside && !goesOn) return at;
  }
  return -1;
}

const RESTS = {
  stated: 'a tool result states it',
  derived: 'derived from tool results',
  given: 'given in the question',
  unsupported: 'no tool result holds it',
};

/** What a figure rests on, in words. */
export function restsOn({ status, formula, reason }) {
  return [RESTS[status] ?? status, formula, reason].filter(Boolean).join(': ');
}

/** The answer with each figure as a link to what it rests on, and each cited result as a link to it. */
export function answerText(answer, { figures = [], session }) {
  const places = placeFigures(answer, figures);
  return markdown(answer, (text, at) => {
    const shown = [];
    let last = 0;
    for (const { from, to, index } of places) {
      if (from < at + last || to > at + text.length) continue;
      shown.push(
        citations(text.slice(last, from - at), session),
        figureLink(text.slice(from - at, to - at), { figure: figures[index], index, session }),
      );
      last = to - at;
    }
    return [...shown, citations(text.slice(last), session)].flat();
  });
}

function figureLink(text, { figure, index, session }) {
  const why = restsOn(figure);
  const properties = { class: `figure ${figure.status}`, href: `#/${encodeURIComponent(session)}/figures/${index}`, title: why };
  if (figure.status !== 'unsupported') return h('a', properties, text);
  return h('a', properties, text, h('span', { 'aria-hidden': 'true' }, ' ⚠'), h('span', { class: 'unseen' }, ` (${why})`));
}

const RESULT_ID = /^(?:c\d+\.)*[rc]\d+$/;

/** `[r5, c1.r2]` in a text: each id leads to its result. What stands in backticks is code. */
export function citations(text, session) {
  return text.split(/(\[[^\][]*\]|`[^`]+`)/).flatMap((part) => {
    if (/^`.+`$/.test(part)) return [h('code', {}, part.slice(1, -1))];
    const ids =
      /^\[(.+)\]$/
        .exec(part)?.[1]
        ?.split(',')
        .map((id) => id.trim()) ?? [];
    if (ids.length === 0 || !ids.every((id) => RESULT_ID.test(id))) return part === '' ? [] : [part];
    return ['[', ...ids.flatMap((id, place) => [place === 0 ? '' : ', ', resultLink(id, session)]), ']'];
  });
}

/** A link to a result. */
export function resultLink(id, session) {
  return h('a', { href: `#/${encodeURIComponent(session)}/results/${encodeURIComponent(id)}` }, id);
}
