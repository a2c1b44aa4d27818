import { sessionList } from './views.js';

/** How long after the last letter the filter is applied. */
const TYPING_MS = 150;

/** The sessions on the left: a page at a time, those that are new as they come. */
export function createList({ api, document, show, failed, answered, shown }) {
  let sessions = [];
  let next;
  let filter = '';
  let pages = 0;
  let asked = 0;
  let drawn = '';

  const draw = () => {
    const state = JSON.stringify([sessions, next, filter, shown()]);
    if (state === drawn) return;
    drawn = state;
    const focused = document.activeElement?.getAttribute?.('href') ?? document.activeElement?.id;
    show('list', sessionList({ sessions, next, shown: shown(), filter, onMore: () => void more() }));
    // The same link, made anew.
    for (const element of document.getElementById('list').querySelectorAll('a, button'))
      if (focused && (element.getAttribute('href') ?? element.id) === focused) element.focus();
  };

  const ask = async (after) => {
    const number = ++asked;
    try {
      const page = await api.sessions({ after, filter });
      answered();
      return number === asked ? page : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  };

  const refresh = async () => {
    const page = await ask(undefined);
    if (!page) return;
    const known = new Set(page.sessions.map(({ session }) => session));
    // Pages that were asked for stay; what is new comes on top.
    if (pages > 1) sessions = [...page.sessions, ...sessions.filter(({ session }) => !known.has(session))];
    else ({ sessions, next } = page);
    pages = Math.max(1, pages);
    draw();
  };

  const more = async () => {
    const page = await ask(next);
    if (!page) return;
    sessions = [...sessions, ...page.sessions];
    next = page.next;
    pages++;
    draw();
  };

  const words = document.getElementById('words');
  let typing;
  words.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      filter = words.value.trim();
      pages = 0;
      void refresh();
    }, TYPING_MS);
  });
  document.getElementById('filter').addEventListener('submit', (event) => event.preventDefault());
  return { refresh, mark: draw };
}
