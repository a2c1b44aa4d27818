import { create, h } from './element.js';
import { count } from './format.js';
import { createTimeLine, takeEvents } from './time-line.js';
import { rowsOf } from './time-line-rows.js';
import { keepRows, rowView } from './time-line-view.js';
import { sessionHead } from './views.js';

/** The first page comes at once, the next ones are larger. They come by themselves: all of a session that runs, else as many as show well. */
const FIRST_EVENTS = 500;
const MORE_EVENTS = 2000;
const BY_ITSELF = 2500;

/** After these the head says something else than before. */
const TELLING = new Set(['agent.concluded', 'child.concluded', 'answer.grounded', 'session.closed', 'agent.resumed', 'session.opened']);

/** The session on the right: what it came to, and its time line as far as it was fetched. */
export function createSession(tools) {
  const now = { tools, visit: 0, closed: new Set(), ...nothing('') };
  return {
    id: () => now.id,
    title: () => now.view?.question || now.id,
    figures: () => now.view?.report.figures ?? [],
    open: (id) => open(now, id),
    /** Takes what is new of a session that runs. */
    update: async () => {
      if (now.summary?.state === 'running') await (now.more ? loadOn(now, now.visit) : next(now));
    },
  };
}

/** What is known of a session that is not read yet. */
function nothing(id) {
  return { id, view: undefined, summary: undefined, line: createTimeLine(), rows: new Map(), after: 0, more: false, busy: false };
}

async function open(now, id) {
  // An answer to what was shown before comes too late.
  const mine = ++now.visit;
  const { api, show, failed } = now.tools;
  Object.assign(now, nothing(id));
  now.closed.clear();
  show('head', id === '' ? [] : h('p', { class: 'quiet', role: 'status' }, 'Reading the log…'));
  show('line', []);
  if (id === '') return;
  try {
    const page = await api.events(id, { after: 0, limit: FIRST_EVENTS });
    if (mine !== now.visit) return;
    takePage(now, page);
    const list = h('ol', { id: 'rows', class: 'rows', 'aria-labelledby': 'line-title' });
    show('line', [h('h3', { id: 'line-title' }, 'What it did'), list, h('div', { id: 'rest' })]);
    drawLine(now);
    void loadOn(now, mine);
    await readHead(now, mine);
  } catch (error) {
    if (mine !== now.visit) return;
    show('head', []);
    failed(error);
  }
}

async function loadOn(now, mine) {
  const wanted = () => mine === now.visit && now.more && (now.summary.state === 'running' || now.line.taken < BY_ITSELF);
  while (wanted() && (await next(now)));
}

/** Whether the next page was fetched. */
async function next(now) {
  const mine = now.visit;
  if (now.busy) return false;
  now.busy = true;
  try {
    const page = await now.tools.api.events(now.id, { after: now.after, limit: MORE_EVENTS });
    if (mine !== now.visit) return false;
    const wasState = now.summary.state;
    takePage(now, page);
    const { state } = now.summary;
    if (page.events.length > 0 || wasState !== state) drawLine(now);
    // Of a session that is over, the head has been read whole.
    const tells = wasState === 'running' && page.events.some(({ type }) => TELLING.has(type));
    if (tells || wasState !== state) await readHead(now, mine);
    return true;
  } catch (error) {
    if (mine === now.visit) now.tools.failed(error);
    return false;
  } finally {
    if (mine === now.visit) now.busy = false;
  }
}

async function readHead(now, mine) {
  const found = await now.tools.api.session(now.id);
  if (mine !== now.visit) return;
  now.view = found;
  now.tools.show('head', sessionHead(found));
}

function takePage(now, page) {
  takeEvents(now.line, page.events);
  Object.assign(now, { after: page.next, more: page.more, summary: page.session });
}

function drawLine(now) {
  const { document, show } = now.tools;
  const list = document.getElementById('rows');
  const address = (item) => `#/${encodeURIComponent(now.id)}/results/${encodeURIComponent(item)}`;
  const onToggle = (key) => {
    if (!now.closed.delete(key)) now.closed.add(key);
    drawLine(now);
  };
  const make = (row) => create(rowView(row, { onToggle, address }), document);
  if (list) now.rows = keepRows(list, rowsOf(now.line, now.closed), { shown: now.rows, make });
  show('rest', restOf(now));
}

/** What stands below the rows. */
function restOf(now) {
  const { line, summary, more } = now;
  if (more) {
    const button = h('button', { type: 'button', id: 'more-events', on: { click: () => void next(now) } }, 'Show more');
    return h('p', {}, `${count(line.taken)} of ${count(summary.events)} events are shown. `, button);
  }
  return summary.state === 'running' && h('p', { class: 'quiet', role: 'status' }, 'Running: what is new comes here each second.');
}
