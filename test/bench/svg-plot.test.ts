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

  it('stands without any point, and with nothing but zeros', () => {
    expect(renderPlot({ ...plot, series: [] })).not.toMatch(/NaN|Infinity/);
    expect(renderPlot({ ...plot, series: [{ name: 'a', points: [{ x: 0, y: 0 }] }] })).not.toMatch(/NaN|Infinity/);
    expect(renderBars('none', [{ name: 'a', value: 0, shown: 'no success' }])).not.toMatch(/NaN|Infinity/);
  });
});
