import { create, h } from './element.js';
import { count } from './format.js';
import { createTimeLine, rowsOf, takeEvents } from './time-line.js';
import { keepRows, rowView } from './time-line-view.js';
import { sessionHead } from './views.js';

/** The first page comes at once, the next ones are larger. They come by themselves: all of a session that runs, else as many as show well. */
const FIRST_EVENTS = 500;
const MORE_EVENTS = 2000;
const BY_ITSELF = 2500;

/** After these the head says something else than before. */
const TELLING = new Set(['agent.concluded', 'child.concluded', 'answer.grounded', 'session.closed', 'agent.resumed', 'session.opened']);

/** The session on the right: what it came to, and its time line as far as it was fetched. */
export function createSession({ api, document, show, failed }) {
  let id = '';
  /** Counts what was opened: an answer to what was shown before comes too late. */
  let visit = 0;
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

  const readHead = async (mine) => {
    const found = await api.session(id);
    if (mine !== visit) return;
    view = found;
    show('head', sessionHead(view));
  };

  /** Whether the next page was fetched. */
  const next = async () => {
    const mine = visit;
    if (busy) return false;
    busy = true;
    try {
      const page = await api.events(id, { after, limit: MORE_EVENTS });
      if (mine !== visit) return false;
      const wasState = summary.state;
      takePage(page);
      if (page.events.length > 0 || wasState !== summary.state) drawLine();
      // Of a session that is over, the head has been read whole.
      const tells = wasState === 'running' && page.events.some(({ type }) => TELLING.has(type));
      if (tells || wasState !== summary.state) await readHead(mine);
      return true;
    } catch (error) {
      if (mine === visit) failed(error);
      return false;
    } finally {
      if (mine === visit) busy = false;
    }
  };

  const loadOn = async (mine) => {
    while (mine === visit && more && (summary.state === 'running' || line.taken < BY_ITSELF) && (await next()));
  };

  const open = async (wanted) => {
    const mine = ++visit;
    id = wanted;
    [view, summary, line, rows, after, more, busy] = [undefined, undefined, createTimeLine(), new Map(), 0, false, false];
    closed.clear();
    show('head', wanted === '' ? [] : h('p', { class: 'quiet', role: 'status' }, 'Reading the log…'));
    show('line', []);
    if (wanted === '') return;
    try {
      const page = await api.events(wanted, { after: 0, limit: FIRST_EVENTS });
      if (mine !== visit) return;
      takePage(page);
      const list = h('ol', { id: 'rows', class: 'rows', 'aria-labelledby': 'line-title' });
      show('line', [h('h3', { id: 'line-title' }, 'What it did'), list, h('div', { id: 'rest' })]);
      drawLine();
      void loadOn(mine);
      await readHead(mine);
    } catch (error) {
      if (mine !== visit) return;
      show('head', []);
      failed(error);
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
