import { create } from './element.js';
import { errorPanel, figurePanel, resultPanel } from './panel-views.js';

/** The dialog over a session: a call's arguments and result, or where a figure comes from. */
export function createPanel({ api, document, figures, onClose }) {
  const dialog = document.getElementById('panel');
  let shown = 0;

  const draw = (nodes) => {
    dialog.replaceChildren(...nodes.map((node) => create(node, document)));
    if (!dialog.open) dialog.showModal();
  };
  const close = () => dialog.close();
  // Also for the Escape key, which closes a dialog by itself.
  dialog.addEventListener('close', () => {
    shown++;
    onClose();
  });
  dialog.addEventListener('click', (event) => event.target === dialog && close());

  const openResult = async (session, { id, part, mine }) => {
    const pages = [await api.result(session, id, { part, offset: 0 })];
    const drawPages = () =>
      draw(
        resultPanel(pages, {
          onClose: close,
          onPart: (other) => void guarded(mine, () => openResult(session, { id, part: other, mine })),
          onMore: () =>
            void guarded(mine, async () => {
              pages.push(await api.result(session, id, { part: pages[0].part, offset: pages.at(-1).next }));
              if (mine === shown) drawPages();
            }),
        }),
      );
    if (mine === shown) drawPages();
  };

  const openFigure = async (session, { figure, mine }) => {
    draw(figurePanel(figure, { session, explanation: undefined, onClose: close }));
    const explanation = await api.figure(session, figure.text).catch(() => ({ sources: [] }));
    if (mine === shown) draw(figurePanel(figure, { session, explanation, onClose: close }));
  };

  const guarded = async (mine, work) => {
    try {
      await work();
    } catch (error) {
      if (mine === shown) draw(errorPanel(error, { onClose: close }));
    }
  };

  return {
    open: async (session, { kind, item }) => {
      const mine = ++shown;
      await guarded(mine, async () => {
        if (kind === 'results') return openResult(session, { id: item, part: 'shown', mine });
        const figure = figures()[Number(item)];
        if (!figure) throw new Error(`the answer has no figure ${item}`);
        return openFigure(session, { figure, mine });
      });
    },
    close: () => {
      if (dialog.open) dialog.close();
    },
  };
}
