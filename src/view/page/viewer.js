import { createApi } from './api.js';
import { create, h } from './element.js';
import { createPanel } from './panel.js';
import { createSession } from './session.js';
import { createList } from './session-list.js';

/** How often a running session is asked for what is new, and the list for sessions that are new. */
const LIVE_MS = 1000;
const LIST_MS = 5000;

/** The place of a session, of one of its results or of a figure: `#/ID`, `#/ID/results/r5`, `#/ID/figures/3`. */
export function readPlace(hash) {
  const [session = '', kind, id] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  return { session, kind, id };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Starts the page; it asks the server only while it can be seen. */
export function startViewer({ window, document, fetch }) {
  const api = createApi(fetch);
  const show = (id, nodes) =>
    document.getElementById(id).replaceChildren(
      ...[nodes]
        .flat()
        .filter(Boolean)
        .map((node) => create(node, document)),
    );
  const notice = (text) => show('notice', text ? [text] : []);
  const failed = (error) => notice([error.message, error.fix].filter(Boolean).join('; '));
  const place = () => readPlace(window.location.hash);
  let lost = false;
  const list = createList({
    ...{ api, document, show, shown: () => place().session },
    failed: (error) => {
      lost = true;
      failed(error);
    },
    answered: () => {
      if (lost) notice('');
      lost = false;
    },
  });
  const session = createSession({ api, document, show, failed });
  const panel = createPanel({ api, document, figures: () => session.figures(), onClose: () => leave(window) });

  const follow = async () => {
    const id = place().session;
    notice('');
    document.body.setAttribute('data-shows', id === '' ? 'list' : 'session');
    list.mark();
    const changed = id !== session.id();
    if (changed) await session.open(id);
    // One may have gone on meanwhile.
    const { session: shown, kind, id: item } = place();
    if (shown !== id) return;
    document.title = id === '' ? 'Soloist' : `${session.title()} – Soloist`;
    if (id === '') show('head', h('p', { class: 'quiet' }, 'Choose a session.'));
    if (kind === 'results' || kind === 'figures') await panel.open(id, { kind, item });
    else panel.close();
    if (changed && id !== '' && !kind) document.getElementById('main').focus();
  };

  const ticks = createTicks(window, document);
  ticks.every(LIVE_MS, () => session.update());
  ticks.every(LIST_MS, () => list.refresh());
  window.addEventListener('hashchange', () => void follow());
  return { ready: Promise.all([list.refresh(), follow()]), stop: ticks.stop };
}

/** Back to the session that a panel lies over. */
function leave({ location }) {
  const { session, kind } = readPlace(location.hash);
  if (kind) location.hash = `#/${encodeURIComponent(session)}`;
}

/** Work that is done again a while after it ended, as long as the page can be seen. */
function createTicks(window, document) {
  const works = [];
  const start = (work) => {
    if (work.timer !== undefined || document.hidden) return;
    const timer = window.setTimeout(async () => {
      await work.run();
      // Hidden meanwhile, and perhaps shown again, which has begun anew.
      if (work.timer !== timer) return;
      work.timer = undefined;
      start(work);
    }, work.milliseconds);
    work.timer = timer;
  };
  const stop = () => {
    for (const work of works) {
      window.clearTimeout(work.timer);
      work.timer = undefined;
    }
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? stop() : works.forEach(start)));
  window.addEventListener('pagehide', stop);
  window.addEventListener('pageshow', () => works.forEach(start));
  return {
    every: (milliseconds, run) => {
      const work = { milliseconds, run, timer: undefined };
      works.push(work);
      start(work);
    },
    stop,
  };
}
