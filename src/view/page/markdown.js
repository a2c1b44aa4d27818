import { h, safeAddress } from './element.js';

/**
 * Markdown as models write it: headings, lists, tables, quotes, code, emphasis, links. HTML in it is text. `showText(text, at)`
 * answers what a piece of plain text shows; `at` is its place in the whole.
 *
 * @returns elements as data
 */
export function markdown(source, showText = (text) => [text]) {
  let at = 0;
  const lines = source.split('\n').map((text) => {
    const line = { text: text.replace(/\r$/, ''), at };
    at += text.length + 1;
    return line;
  });
  return blocks(lines, { showText, depth: 0 });
}

const FENCE = /^\s{0,3}(```+|~~~+)/;
const HEADING = /^\s{0,3}(#{1,6})\s+/;
const RULE = /^\s{0,3}([-*_])(\s*\1){2,}\s*$/;
const QUOTE = /^\s{0,3}>\s?/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+/;
const DIVIDER = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$/;
/** Quotes and lists further in than this are shown as their text: no one reads them, and no stack holds all of them. */
const DEEPEST = 20;

function blocks(lines, how) {
  const found = [];
  let next = 0;
  while (next < lines.length) {
    const taken = takeBlock(lines, next, how);
    if (taken.node) found.push(taken.node);
    next = taken.next;
  }
  return found;
}

function takeBlock(lines, from, { showText, depth }) {
  const { text } = lines[from];
  if (text.trim() === '') return { next: from + 1 };
  if (FENCE.test(text)) return takeFence(lines, from);
  if (RULE.test(text)) return { node: h('hr'), next: from + 1 };
  const heading = HEADING.exec(text);
  // The page has headings of its own above these.
  if (heading)
    return {
      node: h(`h${Math.min(6, heading[1].length + 3)}`, {}, inline(behind(lines[from], heading[0].length), showText)),
      next: from + 1,
    };
  const inside = { showText, depth: depth + 1 };
  if (depth < DEEPEST && QUOTE.test(text)) return takeQuote(lines, from, inside);
  if (depth < DEEPEST && ITEM.test(text)) return takeList(lines, from, inside);
  if (text.includes('|') && DIVIDER.test(lines[from + 1]?.text ?? '')) return takeTable(lines, from, showText);
  return takeParagraph(lines, from, showText);
}

function behind({ text, at }, characters) {
  return { text: text.slice(characters), at: at + characters };
}

function takeFence(lines, from) {
  const mark = FENCE.exec(lines[from].text)[1];
  let end = from + 1;
  while (end < lines.length && !lines[end].text.trim().startsWith(mark)) end++;
  const code = lines.slice(from + 1, end).map(({ text }) => text);
  return { node: h('pre', { tabindex: '0' }, h('code', {}, code.join('\n'))), next: end + 1 };
}

function takeQuote(lines, from, inside) {
  let end = from;
  while (end < lines.length && QUOTE.test(lines[end].text)) end++;
  const inner = lines.slice(from, end).map((line) => behind(line, QUOTE.exec(line.text)[0].length));
  return { node: h('blockquote', {}, blocks(inner, inside)), next: end };
}

function takeList(lines, from, inside) {
  const [, indent, mark] = ITEM.exec(lines[from].text);
  const ordered = /\d/.test(mark);
  const items = [];
  let next = from;
  while (next < lines.length) {
    const item = ITEM.exec(lines[next].text);
    if (!item || item[1].length !== indent.length || /\d/.test(item[2]) !== ordered) break;
    const inner = [behind(lines[next], item[0].length)];
    next++;
    // What stands further in, and lines that only go on, belong to the item.
    while (next < lines.length && belongs(lines, next, indent.length)) {
      const deep = Math.min(item[0].length, /^\s*/.exec(lines[next].text)[0].length);
      inner.push(behind(lines[next], deep));
      next++;
    }
    items.push(h('li', {}, tight(inner, inside)));
    while (next < lines.length && lines[next].text.trim() === '' && ITEM.test(lines[next + 1]?.text ?? '')) next++;
  }
  const start = ordered ? Number.parseInt(mark, 10) : 1;
  return { node: h(ordered ? 'ol' : 'ul', start === 1 ? {} : { start }, items), next };
}

function belongs(lines, at, indent) {
  const { text } = lines[at];
  if (text.trim() === '') return /^\s/.test(lines[at + 1]?.text ?? '') && /^\s*/.exec(lines[at + 1].text)[0].length > indent;
  if (/^\s*/.exec(text)[0].length > indent) return true;
  return !ITEM.test(text) && !HEADING.test(text) && !FENCE.test(text) && !RULE.test(text) && lines[at - 1].text.trim() !== '';
}

/** An item of one paragraph needs none of its own. */
function tight(lines, how) {
  const inner = blocks(lines, how);
  return inner[0]?.tag === 'p' ? [...inner[0].children, ...inner.slice(1)] : inner;
}

function takeTable(lines, from, showText) {
  // In a table a bar within code has a backslash that is no part of the code.
  const showCell = (text, at) => (text.includes('\\|') ? [text.replaceAll('\\|', '|')] : showText(text, at));
  const row = (line, tag) =>
    h(
      'tr',
      {},
      cells(line).map((cell) => h(tag, tag === 'th' ? { scope: 'col' } : {}, inline(cell, showCell))),
    );
  let end = from + 2;
  while (end < lines.length && lines[end].text.includes('|')) end++;
  const body = lines.slice(from + 2, end).map((line) => row(line, 'td'));
  const table = h('table', {}, h('thead', {}, row(lines[from], 'th')), h('tbody', {}, body));
  return { node: h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Table' }, table), next: end };
}

/** A bar in code, or with a backslash, does not end a cell. */
function cells({ text, at }) {
  const found = [];
  const parts = text.matchAll(/(?:`[^`]*`|\\\||[^|])+|\|/g);
  for (const part of parts) if (part[0] !== '|') found.push({ text: part[0], at: at + part.index });
  return found.filter((cell, place) => cell.text.trim() !== '' || (place > 0 && place < found.length - 1)).map(trimmed);
}

function trimmed({ text, at }) {
  return { text: text.trim(), at: at + (text.length - text.trimStart().length) };
}

function takeParagraph(lines, from, showText) {
  let end = from + 1;
  const begins = (text) => text.trim() === '' || [FENCE, HEADING, QUOTE, ITEM, RULE].some((mark) => mark.test(text));
  while (end < lines.length && !begins(lines[end].text)) end++;
  const shown = lines
    .slice(from, end)
    .map((line, place) => [place === 0 ? [] : lineBreak(lines[from + place - 1].text), inline(trimmed(line), showText)]);
  return { node: h('p', {}, shown), next: end };
}

function lineBreak(before) {
  return / {2}$/.test(before) ? h('br') : '\n';
}

/** Emphasis and labels of bounded length: what is never closed is not looked for to the end of a long line from each place. */
const INLINE =
  /(?<code>`+)(?<inside>.+?)\k<code>|\*\*(?<strong>\S(?:.{0,1000}?\S)?)\*\*|(?<![\w*])\*(?<em>[^\s*](?:[^*]*[^\s*])?)\*(?![\w*])|\[(?<label>[^\]\n]{1,1000})\]\((?<address>[^()\s]+)\)|\\(?<escaped>[\\`*_[\]|#])/g;

function inline({ text, at }, showText) {
  const found = [];
  let last = 0;
  for (const match of text.matchAll(INLINE)) {
    found.push(plain(text, { from: last, to: match.index, at, showText }), inlinePart(match, at + match.index, showText));
    last = match.index + match[0].length;
  }
  return [...found, plain(text, { from: last, to: text.length, at, showText })].flat();
}

function plain(text, { from, to, at, showText }) {
  return to > from ? showText(text.slice(from, to), at + from) : [];
}

function inlinePart({ 0: whole, groups }, at, showText) {
  const { code, inside, strong, em, label, address, escaped } = groups;
  if (escaped !== undefined) return [escaped];
  if (inside !== undefined) return [h('code', {}, showText(inside, at + code.length))];
  if (strong !== undefined) return [h('strong', {}, inline({ text: strong, at: at + 2 }, showText))];
  if (em !== undefined) return [h('em', {}, inline({ text: em, at: at + 1 }, showText))];
  // A link of an answer leads out of the page, and says to where.
  if (/^https?:/i.test(address) && safeAddress(address))
    return [
      h(
        'a',
        { href: address, rel: 'noopener noreferrer', target: '_blank', title: address },
        inline({ text: label, at: at + 1 }, showText),
      ),
    ];
  return [whole];
}
