import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { elementsOf, type PageChild, pageFile, pageModule, textsOf } from './page-modules.ts';

const { markdown } = await pageModule('markdown.js');
const { answerText, placeFigures, citations } = await pageModule('answer-text.js');
const { createTimeLine, takeEvents } = await pageModule('time-line.js');
const { rowsOf } = await pageModule('time-line-rows.js');
const { toneOf } = await pageModule('time-line-view.js');
const { safeAddress } = await pageModule('element.js');
const { duration, count } = await pageModule('format.js');
const { readPlace } = await pageModule('viewer.js');

/** A short form of a tree: `p(text, strong(text))`. */
function outline(nodes: readonly PageChild[]): string {
  return nodes.map((node) => (typeof node === 'object' ? `${node.tag}(${outline(node.children)})` : String(node))).join('');
}

/** With a blank between elements, so that words of neighbours stay apart. */
function spaced(node: PageChild): PageChild[] {
  return typeof node === 'object' ? [' ', ...node.children.flatMap(spaced), ' '] : [node];
}

describe('the files of the page', () => {
  const names = readdirSync(fileURLToPath(new URL('../../src/view/page/', import.meta.url)));

  it('make no HTML, style or script of text, and ask for nothing from elsewhere', () => {
    for (const name of names) {
      const text = pageFile(name);
      expect(text, name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|\beval\b|new Function/,
      );
      expect(text, name).not.toMatch(/setAttribute\('(?:style|on)|javascript:|@import|url\(|\bon[a-z]+="|style="/);
      expect(text, name).not.toMatch(/(?:src|href|import|from)\s*[=(]?\s*["']https?:/);
    }
  });

  it('import one another by names that are there', () => {
    for (const name of names.filter((one) => one.endsWith('.js')))
      for (const [, other] of pageFile(name).matchAll(/from '\.\/([^']+)'/g)) expect(names, `${name} imports ${other}`).toContain(other);
  });

  it('have a title, landmarks and a label for what can be typed into', () => {
    const html = pageFile('index.html');
    for (const part of [
      '<html lang="en">',
      '<title>',
      '<header',
      '<nav id="sessions" aria-label=',
      '<main id="main"',
      '<label for="words">',
      'name="viewport"',
    ])
      expect(html).toContain(part);
    expect(pageFile('page.css')).toMatch(/prefers-color-scheme: dark[\s\S]*:focus-visible/);
  });
});

describe('the Markdown of an answer', () => {
  it('becomes elements', () => {
    const source = '## Why\n\nIt was **late** and *slow*:\n- one `a*b*c`\n  1. deep\n- two\n\n> told\n\n---\n```\n<b>\n```';
    expect(outline(markdown(source))).toBe(
      'h5(Why)p(It was strong(late) and em(slow):)ul(li(one code(a*b*c)ol(li(deep)))li(two))blockquote(p(told))hr()pre(code(<b>))',
    );
  });

  it('has tables, also with bars in code', () => {
    const source = 'a | b\n--- | ---\n1 | `x|y`\n| 2 | |\n';
    expect(outline(markdown(source))).toBe('div(table(thead(tr(th(a)th(b)))tbody(tr(td(1)td(code(x|y)))tr(td(2)))))');
  });

  it('keeps names with underscores and stars of sums', () => {
    expect(outline(markdown('fct_orders_daily is 2 * 3 * 4 \\*'))).toBe('p(fct_orders_daily is 2 * 3 * 4 *)');
  });

  it('is text wherever it is HTML', () => {
    const source = '<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [y](data:text/html,z)\n\n`<b>`';
    const nodes = markdown(source);
    expect(new Set(elementsOf(nodes).map(({ tag }) => tag))).toEqual(new Set(['p', 'code']));
    expect(textsOf(nodes)).toContain('<script>alert(1)</script> <img src=x onerror=alert(1)>');
    expect(textsOf(nodes)).toContain('[x](javascript:alert(1)) [y](data:text/html,z)');
  });

  it('links to the web without telling where from', () => {
    const [link] = elementsOf(markdown('see [docs](https://example.org/a)')).filter(({ tag }) => tag === 'a');
    expect(link).toMatchObject({ properties: { href: 'https://example.org/a', rel: 'noopener noreferrer' }, children: ['docs'] });
  });

  it('loses no word, whatever is in it', () => {
    const sources = [
      '- a\n\n  more\n- b\n  - c\n    d\nlazy',
      '# one\ntwo\n***\nthree | four\n|-|\nfive',
      '```js\nsix\n',
      '**seven *eight `nine [ten](e\\*leven',
      '> twelve\n>> thirteen\nfourteen',
      '1. a\n\n\n2) b\n   - c\n- d\r\n',
      '| a | `b|c` | d\\|e |\n|:-:|--|--|\n| f',
    ];
    for (const source of sources) {
      const words = source
        .replace('```js', '```')
        .replace(/^\s*\d+[.)] /gm, '')
        .match(/\w+/g);
      expect(textsOf(markdown(source).flatMap(spaced)).match(/\w+/g), source).toEqual(words);
    }
    for (const source of ['', '\n\n', '#', '# ', '- ', '|', '|-|', '```', '**', '> ', '\\'])
      expect(() => markdown(source), source).not.toThrow();
  });

  it('shows as text what is nested without end', () => {
    for (const mark of ['>', '> ', '- ', '1. ']) {
      const nodes = markdown(`${mark.repeat(20_000)}end`);
      expect(textsOf(nodes), mark).toMatch(/end$/);
      expect(elementsOf(nodes).length).toBeGreaterThan(20);
    }
  });

  it('gets through long lines of what is never closed', () => {
    const long = 200_000;
    for (const line of ['['.repeat(long), '**a '.repeat(long / 4), `a|b\n${' '.repeat(long)}x`, `a|b\n|-${' '.repeat(long)}x`]) {
      const kept = /\S/g;
      expect(textsOf(markdown(line)).match(kept)).toHaveLength(line.match(kept)?.length ?? 0);
    }
    expect(citations(`[${' '.repeat(long)}]`, 's')).toHaveLength(1);
  });

  it('reads a long answer whole', () => {
    expect(textsOf(markdown('**a *b `c [d](e '.repeat(5_000))).length).toBeGreaterThan(50_000);
    expect(elementsOf(markdown('- x\n'.repeat(5_000))).filter(({ tag }) => tag === 'li')).toHaveLength(5_000);
  });
});

describe('the figures of an answer', () => {
  const figure = (text: string, status = 'stated') => ({ text, status, sources: [] });

  it('are found in their order, as a whole', () => {
    const answer = 'From 2026-03-12: 12 of 120 rows, 1.12 s, 12 again';
    expect(placeFigures(answer, [figure('12'), figure('120'), figure('12')])).toEqual([
      { from: 17, to: 19, index: 0 },
      { from: 23, to: 26, index: 1 },
      { from: 41, to: 43, index: 2 },
    ]);
  });

  it('are left out where they are not found, and do not lose those behind', () => {
    expect(
      placeFigures('a 5 b 6', [figure('5'), figure('7'), figure(''), figure('6')]).map(({ index }: { index: number }) => index),
    ).toEqual([0, 3]);
  });

  it('lead to what they rest on; those that rest on nothing are marked in words', () => {
    const nodes = answerText('**6,494.8 s** in all [r3, c1.r2], `41` not', {
      figures: [figure('6,494.8 s'), { ...figure('41', 'unsupported'), reason: 'r9 says 14' }],
      session: 's-1',
    });
    const links = elementsOf(nodes).filter(({ tag }) => tag === 'a');
    expect(links.map(({ properties: { href, class: kind }, children }) => [href, kind, children[0]])).toEqual([
      ['#/s-1/figures/0', 'figure stated', '6,494.8 s'],
      ['#/s-1/results/r3', undefined, 'r3'],
      ['#/s-1/results/c1.r2', undefined, 'c1.r2'],
      ['#/s-1/figures/1', 'figure unsupported', '41'],
    ]);
    expect(textsOf(nodes)).toBe('6,494.8 s in all [r3, c1.r2], 41 ⚠ (no tool result holds it: r9 says 14) not');
  });

  it('are found in a table, also behind bars that end no cell', () => {
    const nodes = answerText('a \\| 1234 rows | `x\\|y`\n--|--\n5678 | z', { figures: [figure('1234'), figure('5678')], session: 's' });
    expect(elementsOf(nodes).flatMap(({ tag, children }) => (tag === 'a' || tag === 'code' ? children : []))).toEqual([
      '1234',
      'x|y',
      '5678',
    ]);
  });

  it('are kept apart from brackets that cite nothing', () => {
    expect(elementsOf(citations('rows[3] of [notes] and [r1x]', 's'))).toEqual([]);
  });

  it('are no part of what stands in backticks, which is code', () => {
    expect(elementsOf(citations('`orders` of `a[r1]`', 's')).map(({ tag }) => tag)).toEqual(['code', 'code']);
  });
});

const event = (position: number, type: string, more: object = {}) => ({
  position,
  at: 1000 + position * 10,
  round: 1,
  step: 1,
  agent: 'main',
  type,
  ...more,
});
type Row = {
  key: string;
  kind: string;
  depth: number;
  name: string;
  status: string;
  bar: Record<string, number>;
  text?: string;
  facts: string[];
};

/** A call of two children: the first waits 20 ms and works 60, the second waits 40 and works 60, so both work at once. */
const delegation = [
  event(0, 'session.opened', { name: 'boss', model: 'm', text: 'q' }),
  event(1, 'model.replied', { text: '', calls: 1, usage: { totalMs: 10, queueMs: 4, inputTokens: 5, outputTokens: 2 }, status: 'stop' }),
  event(2, 'tool.called', { resultId: 'r1', name: 'worker', text: '{}' }),
  event(2, 'delegation.started', {
    ...{ resultId: 'r1', name: 'worker', concurrency: 2, text: 'parallelism: independent' },
    children: [
      { id: 'c1', path: 'c1', goal: 'first' },
      { id: 'c2', path: 'c2', goal: 'second' },
    ],
  }),
  event(4, 'agent.started', { agent: 'c1', name: 'worker', model: 'm', text: 'first' }),
  event(6, 'agent.started', { agent: 'c2', name: 'worker', model: 'm', text: 'second' }),
  event(7, 'tool.called', { agent: 'c1', resultId: 'c1.r1', name: 'count', text: '{}' }),
  event(8, 'tool.finished', {
    agent: 'c1',
    resultId: 'c1.r1',
    name: 'count',
    status: 'error',
    complete: false,
    elapsedMs: 10,
    characters: 7,
    text: 'broken',
  }),
  event(10, 'agent.concluded', { agent: 'c1', status: 'ok', text: 'one', usage: {}, model: 'm' }),
  event(10, 'child.concluded', { id: 'c1', path: 'c1', name: 'worker', status: 'no_evidence', text: 'one', usage: {} }),
  event(12, 'agent.concluded', { agent: 'c2', status: 'ok', text: 'two', usage: {}, model: 'm' }),
  event(12, 'child.concluded', { id: 'c2', path: 'c2', name: 'worker', status: 'ok', text: 'two', usage: {} }),
  event(20, 'tool.finished', {
    resultId: 'r1',
    name: 'worker',
    status: 'partial',
    complete: false,
    elapsedMs: 180,
    characters: 1234,
    text: '…',
  }),
];

function rows(events: readonly object[], closed?: ReadonlySet<string>): Row[] {
  const line = createTimeLine();
  takeEvents(line, events);
  return rowsOf(line, closed);
}

describe('the time line', () => {
  it('nests children under the call that made them, and their calls below them', () => {
    expect(rows(delegation).map(({ depth, kind, name, status }) => `${' '.repeat(depth)}${kind} ${name} ${status}`)).toEqual([
      'agent boss running',
      ' reply turn 1 ',
      ' call worker partial',
      '  agent worker no_evidence',
      '   call count error',
      '   conclusion concludes no_evidence',
      '  agent worker ok',
      '   conclusion concludes ok',
    ]);
  });

  it('shows waiting and working in parallel, in the time of the whole', () => {
    const all = rows(delegation);
    // The round lasts 200 ms, from 1000 to 1200.
    expect(all[3]!.bar).toMatchObject({ left: 10, wait: 10, work: 30 });
    expect(all[6]!.bar).toMatchObject({ left: 10, wait: 20, work: 30 });
    expect(all[4]!.bar).toMatchObject({ left: 35, wait: 0, work: 5 });
    expect(all[1]!.bar).toMatchObject({ left: 0, wait: 2, work: 3 });
    expect(all[1]!.facts).toEqual(['asks for 1 call', '5 tokens in, 2 out', 'waited 4 ms for the model']);
    expect(all[3]!.facts).toContain('waited 20 ms to begin');
  });

  it('is the same however its events are parted into pages', () => {
    const whole = JSON.stringify(rows(delegation));
    for (const size of [1, 2, 3, 5]) {
      const line = createTimeLine();
      for (let from = 0; from < delegation.length; from += size) takeEvents(line, delegation.slice(from, from + size));
      expect(JSON.stringify(rowsOf(line)), `pages of ${size}`).toBe(whole);
    }
  });

  it('hides what is below a row that is closed', () => {
    expect(rows(delegation, new Set(['r1'])).map(({ key }) => key)).toEqual(['main', '@1', 'r1']);
  });

  it('shows what runs as running up to the last event', () => {
    const all = rows(delegation.slice(0, 7));
    expect(all.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'agent running',
      'reply ',
      'call running',
      'agent running',
      'call running',
      'agent running',
    ]);
    expect(all.at(-1)!.bar).toMatchObject({ running: true });
    expect(rows(delegation.slice(0, 4)).at(-1)).toMatchObject({ status: 'waiting' });
  });

  it('names retries, limits, approvals and loops', () => {
    const all = rows([
      event(0, 'session.opened', { name: 'boss' }),
      event(1, 'model.replied', { text: '', calls: 0, usage: { totalMs: 1, tries: 3 }, status: 'length' }),
      event(2, 'model.failed', { text: 'timeout: slow', usage: { totalMs: 1 } }),
      event(3, 'limit.reached', { text: 'limit reached: 20 turns' }),
      event(4, 'permission.decided', { text: 'drop_table denied by person' }),
      event(5, 'loop.blocked', { text: 'a loop' }),
      event(6, 'something.new', { text: '{}' }),
    ]);
    expect(all.slice(1).map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'turn 1: cut',
      'turn 1: failed',
      'limit: warning',
      'approval: ',
      'loop: warning',
      'something.new: ',
    ]);
    expect(all[1]!.facts).toEqual(['answers', '3 tries', 'cut off at the output limit']);
  });

  it('takes a session that goes on, a call made again, and children no one announced', () => {
    const all = rows([
      event(0, 'session.opened', { name: 'boss' }),
      event(1, 'tool.called', { resultId: 'r1', name: 't', text: '{}' }),
      event(2, 'session.closed', { status: 'aborted' }),
      event(3, 'agent.resumed', { text: 'goes on' }),
      event(4, 'tool.called', { resultId: 'r1', name: 't', text: '{}' }),
      event(5, 'tool.finished', { resultId: 'r1', name: 't', status: 'ok', complete: true, elapsedMs: 1, characters: 1, text: 'x' }),
      event(6, 'agent.started', { agent: 'c7', name: 'lost' }),
    ]);
    expect(all.map(({ key, status }) => `${key} ${status}`)).toEqual(['main running', 'r1 ok', '@3 ', 'agent c7 running']);
    expect(rows([])).toHaveLength(1);
  });

  it('measures a later question in the time of that question', () => {
    const all = rows([
      event(0, 'session.opened', { name: 'boss' }),
      event(1, 'user.said', { round: 1, text: 'x' }),
      { ...event(2, 'tool.called', { resultId: 'r1', name: 't', text: '' }), round: 2, at: 5_000_000 },
      {
        ...event(3, 'tool.finished', { resultId: 'r1', name: 't', status: 'ok', complete: true, characters: 1, text: '' }),
        round: 2,
        at: 5_000_100,
      },
    ]);
    expect(all.at(-1)!.bar).toMatchObject({ left: 0, work: 100 });
  });

  it('has a tone for every status', () => {
    expect(['ok', 'no_data', 'partial', 'error', 'refused', 'killed', 'running', 'no_evidence', 'warning'].map(toneOf)).toEqual([
      ...['good', 'good', 'warn', 'bad', 'bad', 'bad', 'busy', 'bad', 'warn'],
    ]);
  });
});

describe('what the page writes', () => {
  it('has figures as the other verbs write them', () => {
    expect([count(1234567), duration(950), duration(12_345), duration(245_000), duration(7_800_000)]).toEqual([
      ...['1,234,567', '950 ms', '12.3 s', '4 min 05 s', '2 h 10 min'],
    ]);
  });

  it('links to itself and to the web alone', () => {
    expect(['#/s', 'https://a', 'HTTP://a', 'javascript:x', 'data:x', '//a', '/etc', ' javascript:x'].map(safeAddress)).toEqual([
      ...['#/s', 'https://a', 'HTTP://a', undefined, undefined, undefined, undefined, undefined],
    ]);
  });

  it('finds its place in an address, also in a broken one', () => {
    expect(readPlace('#/s-1/results/c1.r2')).toEqual({ session: 's-1', kind: 'results', id: 'c1.r2' });
    expect([readPlace(''), readPlace('#/'), readPlace('#/%zz')].map(({ session }: { session: string }) => session)).toEqual([
      '',
      '',
      '%zz',
    ]);
  });
});
