import { h } from './element.js';

/** Statuses in which nothing went wrong. */
const GOOD = new Set(['ok', 'no_data', 'partial', '']);

/** How a status is marked, beside its word. */
export function toneOf(status) {
  if (status === 'running' || status === 'waiting') return 'busy';
  if (status === 'warning' || status === 'partial' || status === 'cut') return 'warn';
  return GOOD.has(status) ? 'good' : 'bad';
}

/** The word of a status; nothing for a row that has none. */
export function badge(status) {
  return status ? h('span', { class: `badge ${toneOf(status)}` }, status.replaceAll('_', ' ')) : undefined;
}

/** One row of the time line. `onToggle` hides and shows what is below it; `address` gives the place of what it opens. */
export function rowView(row, { onToggle, address }) {
  const { key, kind, depth, id, name, text, result, status, facts, because, open, expandable, expanded } = row;
  const label = [id, name].filter(Boolean).join(' ');
  return h(
    'li',
    { class: `row ${kind}`, 'data-key': key, style: { '--depth': String(Math.min(depth, 8)) } },
    h(
      'div',
      { class: 'what' },
      expandable
        ? h(
            'button',
            {
              type: 'button',
              class: 'toggle',
              'aria-expanded': String(expanded),
              'aria-label': `What is below ${label}`,
              on: { click: () => onToggle(key) },
            },
            expanded ? '▾' : '▸',
          )
        : h('span', { class: 'toggle', 'aria-hidden': 'true' }),
      open ? h('a', { class: 'name', href: address(open) }, label) : h('span', { class: 'name' }, label),
      ' ',
      badge(status),
      facts.length > 0 && h('span', { class: 'facts' }, ` ${facts.join(' · ')}`),
    ),
    barView(row),
    because && h('p', { class: 'text' }, because),
    text && h('p', { class: kind === 'call' ? 'text code' : 'text' }, text),
    result && h('p', { class: 'text code result' }, `→ ${result}`),
  );
}

function barView(row) {
  const parts = barParts(row).map(({ kind, style }) => h('span', { class: kind, style }));
  return h('div', { class: 'bar', 'aria-hidden': 'true' }, parts);
}

/** The waiting and the working part. */
function barParts({ bar: { left, wait, work, running }, status }) {
  return [
    { kind: 'wait', style: { left: percent(left), width: percent(wait) } },
    { kind: `work ${running ? 'busy' : toneOf(status)}`, style: { left: percent(left + wait), width: percent(work) } },
  ];
}

function percent(share) {
  return `${Math.round(share * 100) / 100}%`;
}

/** Bars shrink as time goes on: that alone makes no new row. The bar stands behind what the row says first. */
function adjustBar(element, row) {
  const spans = element.childNodes[1].childNodes;
  for (const [place, { style }] of barParts(row).entries())
    for (const [property, length] of Object.entries(style)) spans[place].style.setProperty(property, length);
}

/**
 * Brings a list up to the rows that it is to show: rows that are as they were keep their element, and with it the focus.
 *
 * @param shown what {@link keepRows} answered before, by the key of the row
 */
export function keepRows(list, rows, { shown, make }) {
  const kept = new Map();
  let place = list.firstChild;
  for (const row of rows) {
    const { bar, ...rest } = row;
    const [signature, barSignature] = [JSON.stringify([rest, bar.running]), JSON.stringify(bar)];
    const before = shown.get(row.key);
    const element = before?.signature === signature ? before.element : make(row);
    if (before?.element === element && before.barSignature !== barSignature) adjustBar(element, row);
    if (before && before.element !== element) {
      const focused = before.element.contains(list.ownerDocument.activeElement);
      if (place === before.element) place = element;
      before.element.replaceWith(element);
      if (focused) element.querySelector('a, button')?.focus();
    }
    if (element === place) place = element.nextSibling;
    else list.insertBefore(element, place);
    kept.set(row.key, { signature, barSignature, element });
  }
  for (const [key, { element }] of shown) if (!kept.has(key)) element.remove();
  return kept;
}
