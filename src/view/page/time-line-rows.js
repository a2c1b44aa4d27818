import { duration, tokens } from './format.js';

/**
 * The rows that show, from the top: each with its depth and its bar in per cent of its round, the first part of which was waiting.
 *
 * @param closed keys of rows whose children are hidden
 */
export function rowsOf(line, closed = new Set()) {
  const rows = [];
  addRow(line, line.main, { depth: 0, closed, rows });
  return rows;
}

function addRow(line, node, { depth, closed, rows }) {
  const expandable = node.children.length > 0;
  const expanded = expandable && !closed.has(node.key);
  rows.push({ ...describe(node), key: node.key, kind: node.kind, depth, open: node.open, expandable, expanded, bar: barOf(line, node) });
  if (expanded) for (const child of node.children) addRow(line, child, { depth: depth + 1, closed, rows });
}

function describe(node) {
  if (node.kind !== 'agent') {
    const { name, text = '', result, status, facts, elapsedMs, because, concurrency, kind } = node;
    const id = kind === 'call' ? node.key : '';
    const more = [
      ...(elapsedMs === undefined ? [] : [duration(elapsedMs)]),
      ...facts,
      concurrency ? `at most ${concurrency} at once` : '',
    ].filter(Boolean);
    return { id, name, text, result, status, facts: more, because };
  }
  const { id, name, model, text, status, started, from, to, queueMs, usage } = node;
  const facts = [
    model,
    usage ? tokens(usage) : '',
    id !== 'main' && started !== undefined && started - from >= 1 ? `waited ${duration(started - from)} to begin` : '',
    queueMs >= 1 ? `${duration(queueMs)} in the model's queue` : '',
    started !== undefined && to !== undefined ? `worked ${duration(to - started)}` : '',
  ];
  return { id: id === 'main' ? '' : id, name: name || id, text, status, facts: facts.filter(Boolean) };
}

/** The main agent's rows of an earlier question stand in the time of that question. */
function barOf(line, { kind, round, from, to, started, waitMs = 0, id }) {
  const bounds = kind === 'agent' && id === 'main' ? wholeOf(line) : (line.rounds.get(round) ?? wholeOf(line));
  const span = Math.max(1, bounds.to - bounds.from);
  const share = (milliseconds) => Math.min(100, Math.max(0, (milliseconds / span) * 100));
  const end = to ?? line.last;
  const waited = kind === 'agent' ? (started ?? end) - from : waitMs;
  const left = share(from - bounds.from);
  const wait = Math.min(100 - left, share(waited));
  return { left, wait, work: Math.min(100 - left - wait, share(end - from - waited)), running: to === undefined };
}

function wholeOf({ rounds, last }) {
  const from = Math.min(...[...rounds.values()].map((round) => round.from));
  return { from: Number.isFinite(from) ? from : last, to: last };
}
