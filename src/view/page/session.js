import { create, h } from './element.js';
import { count } from './format.js';
import { createTimeLine, rowsOf, takeEvents } from './time-line.js';
import { keepRows, rowView } from './time-line-view.js';
import { sessionHead } from './views.js';

/** After these the head says something else than before. */
const TELLING = new Set(['agent.concluded', 'child.concluded', 'answer.grounded', 'session.closed', 'agent.resumed', 'session.opened']);

/** The session on the right: what it came to, and its time line as far as it was fetched. */
export function createSession({ api, document, show, failed }) {
  let id = '';
  let view;
  let summary;
  let line;
  let rows = new Map();
  let after = 0;
  let more = false;
  let busy = false;
  const closed = new Set();

  const toggle = (key) => {
    if (!closed.delete(key)) closed.add(key);
    drawLine();
  };

  const make = (row) =>
    create(
      rowView(row, { onToggle: toggle, address: (item) => `#/${encodeURIComponent(id)}/results/${encodeURIComponent(item)}` }),
      document,
    );

  const drawLine = () => {
    const list = document.getElementById('rows');
    if (list) rows = keepRows(list, rowsOf(line, closed), { shown: rows, make });
    show('rest', restOf());
  };

  const restOf = () => {
    if (more)
      return h(
        'p',
        {},
        `${count(line.taken)} of ${count(summary.events)} events are shown. `,
        h('button', { type: 'button', id: 'more-events', on: { click: () => void next() } }, 'Show more'),
      );
    return summary.state === 'running' && h('p', { class: 'quiet', role: 'status' }, 'Running: what is new comes here each second.');
  };

  const takePage = (page) => {
    takeEvents(line, page.events);
    ({ next: after, more, session: summary } = page);
  };

  const readHead = async (wanted) => {
    const found = await api.session(wanted);
    if (wanted !== id) return;
    view = found;
    show('head', sessionHead(view));
  };

  const next = async () => {
    const wanted = id;
    if (busy) return;
    busy = true;
    try {
      const page = await api.events(wanted, after);
      if (wanted !== id) return;
      const wasState = summary?.state;
      takePage(page);
      if (page.events.length > 0 || wasState !== summary.state) drawLine();
      if (wasState !== summary.state || page.events.some(({ type }) => TELLING.has(type))) await readHead(wanted);
    } catch (error) {
      if (wanted === id) failed(error);
    } finally {
      busy = false;
    }
  };

  const open = async (wanted) => {
    id = wanted;
    [view, summary, line, rows, after, more, busy] = [undefined, undefined, createTimeLine(), new Map(), 0, false, true];
    closed.clear();
    show('head', wanted === '' ? [] : h('p', { class: 'quiet', role: 'status' }, 'Reading the log…'));
    show('line', []);
    if (wanted === '') return;
    try {
      const page = await api.events(wanted, 0);
      if (wanted !== id) return;
      takePage(page);
      const list = h('ol', { id: 'rows', class: 'rows', 'aria-labelledby': 'line-title' });
      show('line', [h('h3', { id: 'line-title' }, 'What it did'), list, h('div', { id: 'rest' })]);
      drawLine();
      await readHead(wanted);
    } catch (error) {
      if (wanted !== id) return;
      show('head', []);
      failed(error);
    } finally {
      if (wanted === id) busy = false;
    }
  };

  return {
    id: () => id,
    title: () => view?.question || id,
    figures: () => view?.report.figures ?? [],
    open,
    /** Takes what is new, of a session that runs and is shown to its end so far. */
    update: async () => {
      if (id !== '' && summary?.state === 'running' && !more) await next();
    },
  };
}
