import { describe, expect, it } from 'vitest';
import { renderBars, renderPlot } from '../../src/bench/report/svg-plot.ts';

const plot = { title: 't', xLabel: 'tables', yLabel: 'tokens', lines: true } as const;

describe('a plot', () => {
  it('places points in proportion on axes from zero with round ticks', () => {
    const points = [5, 10, 20, 40, 80].map((x) => ({ x, y: x * 500 }));
    const svg = renderPlot({ ...plot, series: [{ name: 'solo', points }] });
    const at = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
    expect(at).toHaveLength(5);
    const [first, , , , last] = at;
    // From 5 to 80 is 15 times as far as from 5 to 10, and likewise upwards.
    expect((last![0] - first![0]) / (at[1]![0] - first![0])).toBeCloseTo(15, 1);
    expect((last![1] - first![1]) / (at[1]![1] - first![1])).toBeCloseTo(15, 1);
    for (const tick of ['>0<', '>20<', '>40<', '>60<', '>80<', '>10k<', '>40k<']) expect(svg).toContain(tick);
    for (const [x, y] of at) {
      expect(x).toBeGreaterThan(76);
      expect(x).toBeLessThanOrEqual(540);
      expect(y).toBeGreaterThanOrEqual(14);
      expect(y).toBeLessThan(274);
    }
  });

  it('draws intervals as bars, tells values on hovering, and escapes names', () => {
    const svg = renderPlot({ ...plot, lines: false, yMost: 100, series: [{ name: '<b>', points: [{ x: 10, y: 50, low: 30, high: 70 }] }] });
    expect(svg).toMatch(/<path d="M[\d.]+ [\d.]+V[\d.]+"/);
    expect(svg).toContain('<title>&lt;b&gt;: tables 10, tokens 50</title>');
    expect(svg).not.toContain('<b>');
  });

  it('keeps names of any length clear of the bars and of the edges', () => {
    const svg = renderBars('cost', [
      { name: 'solo', value: 2, shown: '2' },
      { name: 'a-design-with-a-very-long-name-of-the-sixty-four-that-are-allowed', value: 4, shown: '4' },
    ]);
    const texts = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)" text-anchor="start">/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const bars = [...svg.matchAll(/<rect x="0" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"/g)].map((match) =>
      match.slice(1).map(Number),
    );
    expect(bars[1]![1]! / bars[0]![1]!).toBeCloseTo(2, 6);
    // A name begins at the left edge and ends above its bar and below the bar before it.
    expect([texts[0]![0], texts[2]![0]]).toEqual([0, 0]);
    expect(texts[0]![1]!).toBeLessThan(bars[0]![0]!);
    expect(texts[2]![1]!).toBeLessThan(bars[1]![0]!);
    expect(texts[2]![1]! - 12).toBeGreaterThan(bars[0]![0]! + bars[0]![2]! - 4);
  });

  it('stands without any point, and with nothing but zeros', () => {
    expect(renderPlot({ ...plot, series: [] })).not.toMatch(/NaN|Infinity/);
    expect(renderPlot({ ...plot, series: [{ name: 'a', points: [{ x: 0, y: 0 }] }] })).not.toMatch(/NaN|Infinity/);
    expect(renderBars('none', [{ name: 'a', value: 0, shown: 'no success' }])).not.toMatch(/NaN|Infinity/);
  });
});
