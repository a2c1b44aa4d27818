import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { EventBody } from '../../src/core/event.ts';
import type { RunningViewer } from '../../src/view/start-viewer.ts';
import { cleanUp, eventAt, opened, openLog, said } from '../store/log-folder.ts';
import { FakeDocument, type FakeElement, FakeWindow } from './fake-document.ts';
import { pageFile, pageModule } from './page-modules.ts';
import { ask, closeViewers, serve, teamLog } from './view-folder.ts';

const { startViewer } = await pageModule('viewer.js');
const stops: (() => void)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await closeViewers();
});
afterAll(cleanUp);

/** The whole page as a browser runs it, over the real server. */
async function openPage(viewer: RunningViewer, hash = '') {
  const document = new FakeDocument(pageFile('index.html'));
  const window = new FakeWindow();
  window.location.hash = hash;
  const asked: string[] = [];
  let waiting: Promise<unknown>[] = [];
  const fetch = (address: string) => {
    asked.push(address);
    const answer = ask(viewer, address).then(({ json }) => ({ json: async () => json }));
    waiting.push(answer.catch(() => undefined));
    return answer;
  };
  const { ready, stop } = startViewer({ window, document, fetch });
  stops.push(stop);
  await ready;
  /** Until nothing is asked for any more. */
  const settled = async (): Promise<void> => {
    for (let round = 0; round < 5; round++) {
      await Promise.all(waiting);
      waiting = [];
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const go = async (place: string): Promise<void> => {
    window.location.hash = place;
    await settled();
  };
  const part = (id: string): FakeElement => document.getElementById(id)!;
  return { document, window, asked, settled, go, part };
}

const linksIn = (element: FakeElement) => element.querySelectorAll('a').map((link) => link.getAttribute('href'));
const rowsIn = (list: FakeElement) => list.querySelectorAll('li').map((row) => row.getAttribute('data-key'));

describe('the page', () => {
  it('lists the sessions and shows the one that is chosen', async () => {
    const { log, session } = await teamLog();
    const page = await openPage(await serve(log));
    expect(linksIn(page.part('list'))).toEqual([`#/${session}`]);
    expect(page.part('head').textContent).toBe('Choose a session.');
    await page.go(`#/${session}`);
    expect(page.document.title).toBe('Count all tables. – Soloist');
    expect(page.document.body.getAttribute('data-shows')).toBe('session');
    expect(page.part('list').querySelector('a')!.getAttribute('aria-current')).toBe('page');
    const head = page.part('head').textContent;
    for (const text of [
      'Answer',
      '4711 ⚠ (no tool result holds it)',
      'Figures',
      'Delegations',
      'parallelism',
      'inline',
      'Cost',
      '4 tool calls',
    ])
      expect(head).toContain(text);
    expect(linksIn(page.part('head'))).toEqual(
      expect.arrayContaining([`#/${session}/results/r1`, `#/${session}/results/c1.r1`, `#/${session}/results/r2`]),
    );
    expect(rowsIn(page.part('rows'))).toEqual(expect.arrayContaining(['main', 'r1', 'r2', 'c1.r1', 'c2.r1']));
    expect(page.document.activeElement).toBe(page.part('main'));
  });

  it('opens a result and a figure over the session, and goes back to it', async () => {
    const { log, session } = await teamLog();
    const page = await openPage(await serve(log), `#/${session}/results/c2.r1`);
    await page.settled();
    expect(page.part('panel').open).toBe(true);
    expect(page.part('panel').textContent).toContain('"rows": 1003');
    expect(page.part('panel').textContent).toContain('soloist tools call count_rows --input \'{"table":"t3"}\'');
    const parts = page
      .part('panel')
      .querySelectorAll('button')
      .find((button) => button.textContent === 'arguments')!;
    parts.fire('click');
    await page.settled();
    expect(page.part('panel').textContent).toContain('"table": "t3"');
    page.part('panel').close();
    expect([page.window.location.hash, page.part('panel').open]).toEqual([`#/${session}`, false]);

    const figure = page
      .part('head')
      .querySelectorAll('a')
      .find((link) => link.textContent === '1002')!;
    await page.go(figure.getAttribute('href')!);
    const told = page.part('panel').textContent;
    for (const text of ['a tool result states it', 'c1.r1 count_rows data.rows = 1002', 'main → r2 worker → c1 → step 1'])
      expect(told).toContain(text);
    await page.go(`#/${session}/figures/99`);
    expect(page.part('panel').textContent).toContain('the answer has no figure 99');
    await page.go(`#/${session}/results/r99`);
    expect(page.part('panel').textContent).toContain('has no result "r99"');
  });

  it('opens nothing over a session that was left again before it was read', async () => {
    const { log, session } = await teamLog();
    const page = await openPage(await serve(log));
    page.window.location.hash = `#/${session}/results/r1`;
    page.window.location.hash = `#/${session}`;
    await page.settled();
    expect([page.part('panel').open, page.window.location.hash]).toEqual([false, `#/${session}`]);
  });

  it('shows a hostile text as text, wherever it stands', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>"\'&';
    const log = await openLog();
    const call = { callId: 'k', resultId: 'r1', tool: evil };
    const finding = {
      id: 'f',
      kind: 'cause' as const,
      claim: evil,
      evidence: ['"><script>'],
      confidence: 'high' as const,
      refutedBy: evil,
    };
    const conclusion = {
      ...{
        status: 'failed' as const,
        text: `${evil}\n\n- ${evil}\n\n| ${evil} |\n|-|\n| ${evil} |`,
        reason: evil,
        evidence: [],
        model: evil,
        findings: [finding],
      },
      usage: { modelCalls: 1, toolCalls: 1, inputTokens: 1, outputTokens: 1, peakContextTokens: 1, wallMs: 1 },
    };
    log.append([
      eventAt(0, opened(evil, { agent: evil, model: evil })),
      eventAt(1, { type: 'tool.called', ...call, arguments: { [evil]: evil } }),
      eventAt(2, { type: 'tool.finished', ...call, status: 'ok', complete: true, content: evil, elapsedMs: 1 }),
      eventAt(3, said(evil)),
      eventAt(4, { type: 'limit.reached', limit: 'turns', detail: evil }),
      eventAt(5, {
        type: 'answer.grounded',
        mode: 'report',
        figures: [{ text: 'alert(1)', status: 'unsupported', sources: [], reason: evil }],
        absences: [{ text: evil, supported: false, results: [] }],
      }),
      eventAt(6, { type: 'agent.concluded', conclusion }),
      eventAt(7, { type: 'session.closed', status: 'failed' }),
    ]);
    const page = await openPage(await serve(log), '#/s1/results/r1');
    await page.settled();
    expect(page.part('panel').querySelector('pre')!.textContent).toBe(evil);
    await page.go('#/s1');
    const all = page.document.body.all();
    expect(all.filter(({ tag }) => tag === 'script' || tag === 'img' || tag === 'iframe')).toEqual([]);
    for (const element of all)
      for (const [name, value] of element.attributes) {
        expect(name).not.toMatch(/^on|^style$|^src/);
        if (name === 'href') expect(value).toMatch(/^#\//);
      }
    expect(page.part('head').textContent).toContain(`Not finished (failed): ${evil}`);
    expect(page.part('list').textContent).toContain(evil);
    expect(page.part('rows').textContent.split(evil).length).toBeGreaterThan(5);
  });

  it('takes in what a running session does, and stops when it has ended', async () => {
    const log = await openLog();
    const release = log.holdSession('s1');
    log.append([
      eventAt(0, opened('q')),
      eventAt(1, { type: 'tool.called', callId: 'k', resultId: 'r1', tool: 't', arguments: {} }),
      eventAt(2, said('aside')),
    ]);
    const page = await openPage(await serve(log), '#/s1');
    expect(page.part('rest').textContent).toContain('Running');
    const row = () =>
      page
        .part('rows')
        .querySelectorAll('li')
        .find((one) => one.getAttribute('data-key') === 'r1')!;
    const remark = page.part('rows').querySelectorAll('li').at(-1)!;
    const widthOf = () => (remark.childNodes[1] as FakeElement).querySelectorAll('span')[1]!.styles.get('left');
    const before = row();
    expect(widthOf()).toBe('100%');
    before.querySelector('a')!.focus();
    log.append([
      eventAt(4, {
        type: 'tool.finished',
        callId: 'k',
        resultId: 'r1',
        tool: 't',
        status: 'ok',
        complete: true,
        content: 'found',
        elapsedMs: 5,
      }),
    ]);
    await page.window.pass(1000);
    expect(row().textContent).toContain('found');
    // The focus stays on the row, though its element is another.
    expect([row() === before, row().contains(page.document.activeElement)]).toEqual([false, true]);
    // A row that says what it said keeps its element; only its bar is measured anew.
    expect([remark.parent !== undefined, widthOf()]).toEqual([true, '50%']);
    const usage = { modelCalls: 1, toolCalls: 1, inputTokens: 1, outputTokens: 1, peakContextTokens: 1, wallMs: 1 };
    const concluded: EventBody = {
      type: 'agent.concluded',
      conclusion: { status: 'ok', text: 'It is done.', evidence: [], findings: [], usage, model: 'm' },
    };
    log.append([eventAt(5, concluded), eventAt(6, { type: 'session.closed', status: 'ok' })]);
    release();
    await page.window.pass(1000);
    expect(page.part('head').textContent).toContain('It is done.');
    expect(page.part('rest').textContent).toBe('');
    const asked = page.asked.length;
    await page.window.pass(1000);
    expect(page.asked).toHaveLength(asked);
  });

  it('asks for nothing while it is hidden', async () => {
    const log = await openLog();
    const release = log.holdSession('s1');
    log.append([eventAt(0, opened('q'))]);
    const page = await openPage(await serve(log), '#/s1');
    expect(page.window.waiting()).toEqual([1000, 5000]);
    page.document.setHidden(true);
    expect(page.window.waiting()).toEqual([]);
    page.document.setHidden(false);
    expect(page.window.waiting()).toEqual([1000, 5000]);
    // Also where it is hidden and shown again while an answer is under way.
    const passed = page.window.pass(5000);
    page.document.setHidden(true);
    page.document.setHidden(false);
    await passed;
    expect(page.window.waiting()).toEqual([1000, 5000]);
    release();
  });

  it('shows a long session by itself up to a number of events, then when asked', async () => {
    const log = await openLog();
    log.append([eventAt(0, opened('q')), ...Array.from({ length: 4700 }, (_, place) => eventAt(place + 1, said(`line ${place}`)))]);
    const page = await openPage(await serve(log), '#/s1');
    await page.settled();
    expect(rowsIn(page.part('rows'))).toHaveLength(2500);
    expect(page.part('rest').textContent).toContain('2,500 of 4,701 events are shown');
    for (const shown of [4500, 4701]) {
      page.part('rest').querySelector('button')!.fire('click');
      await page.settled();
      expect(rowsIn(page.part('rows'))).toHaveLength(shown);
    }
    expect(page.part('rest').textContent).toBe('');
  });

  it('hides and shows what is below a row, and keeps the order', async () => {
    const { log, session } = await teamLog();
    const page = await openPage(await serve(log), `#/${session}`);
    const before = rowsIn(page.part('rows'));
    const toggle = () =>
      page
        .part('rows')
        .querySelectorAll('li')
        .find((one) => one.getAttribute('data-key') === 'r2')!
        .querySelector('button')!;
    expect(toggle().getAttribute('aria-expanded')).toBe('true');
    toggle().fire('click');
    expect(rowsIn(page.part('rows'))).not.toContain('c1.r1');
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
    toggle().fire('click');
    expect(rowsIn(page.part('rows'))).toEqual(before);
  });

  it('adds sessions that are new, pages that are asked for, and filters', async () => {
    const log = await openLog();
    for (let place = 0; place < 60; place++)
      log.append([eventAt(0, opened(`q ${place}`), { session: `s-${String(place).padStart(2, '0')}`, at: place })]);
    const page = await openPage(await serve(log));
    expect(linksIn(page.part('list'))).toHaveLength(50);
    page.part('more-sessions').fire('click');
    await page.settled();
    expect(linksIn(page.part('list'))).toHaveLength(60);
    log.append([eventAt(0, opened('newest'), { session: 's-99', at: 99 })]);
    await page.window.pass(5000);
    expect(linksIn(page.part('list'))).toHaveLength(61);
    expect(linksIn(page.part('list'))[0]).toBe('#/s-99');
    page.part('words').value = 'newest';
    page.part('words').fire('input');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await page.settled();
    expect(linksIn(page.part('list'))).toEqual(['#/s-99']);
  });

  it('says so when there is no such session, no session at all, or no viewer any more', async () => {
    const viewer = await serve(await openLog());
    const page = await openPage(viewer, '#/s-none');
    expect(page.part('list').textContent).toContain('No sessions yet');
    expect(page.part('notice').textContent).toContain('no session begins with "s-none"');
    await closeViewers();
    await page.window.pass(5000);
    expect(page.part('notice').textContent).toContain('start it again with soloist view');
  });
});
