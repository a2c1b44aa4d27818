import { describe, expect, it } from 'vitest';
import { renderHtml } from '../../src/bench/report/render-html.ts';
import { renderText } from '../../src/bench/report/render-text.ts';
import { runServedSuite } from './served-suite.ts';
import { totalsOf } from './totals-of.ts';

describe('a suite on a served model', () => {
  it('accounts for every request of the server, those of children and stopped ones included', async () => {
    const { report, finished, served, seeds } = await runServedSuite(1, [3, 8]);
    expect(finished).toBe(true);
    const totals = totalsOf(report);
    expect(totals).toMatchObject({ calls: served.chats, input: served.input, output: served.output });
    // Two sleepers in each of two runs are cut off; each of two broken runs is refused once.
    expect(served.closedEarly).toBe(4);
    expect(totals.failed).toBe(4 + 2);
    expect(new Set(seeds)).toEqual(new Set([3, 8]));

    const of = (design: string) => report.cells.filter((cell) => cell.design === design);
    for (const design of ['plain', 'clumsy', 'handing', 'fanning'])
      expect(
        of(design).map(({ passed }) => passed),
        design,
      ).toEqual([true, true]);
    expect(of('hanging').map(({ failure }) => failure)).toEqual(['no_check', 'no_check']);
    expect(of('broken').map(({ failure }) => failure)).toEqual(['model_failed', 'model_failed']);
    expect(of('clumsy').map(({ usage }) => usage.badCalls)).toEqual([2, 2]);
    expect(of('fanning').map(({ usage }) => [usage.children, usage.modelCalls])).toEqual([
      [2, 6],
      [2, 6],
    ]);

    expect(report.groups.map(({ timing }) => timing)).toEqual(['measured']);
    expect(report.warmUps).toEqual([{ model: 'ollama/fake', calls: 1, inputTokens: 100, outputTokens: 10 }]);
    expect(report.conditions.join(' ')).toMatch(/4 cells ran at once/);
    for (const text of [renderText(report), renderHtml(report)]) expect(text).not.toMatch(/simulated/);
  });
});
