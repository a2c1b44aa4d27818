import { escapeHtml } from './escape-html.ts';

export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  /** Ends of a bar of uncertainty. */
  readonly low?: number;
  readonly high?: number;
}

export interface PlotSeries {
  readonly name: string;
  readonly points: readonly PlotPoint[];
}

export interface Plot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly PlotSeries[];
  /** Whether the points of a series are joined. */
  readonly lines: boolean;
  readonly yMost?: number;
}

const WIDTH = 560;
const HEIGHT = 320;
const EDGE = { left: 76, right: 20, top: 14, bottom: 46 } as const;
/** Okabe and Ito: told apart by the colour-blind as well; shapes tell them apart in print. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#7f7f7f'] as const;

export function colourOf(place: number): string {
  return COLOURS[place % COLOURS.length] ?? COLOURS[0];
}

/** A plot of lines or points as inline SVG, axes from zero, values on hovering. */
export function renderPlot(plot: Plot): string {
  const points = plot.series.flatMap((series) => series.points);
  const xTicks = ticksUpTo(Math.max(1e-9, ...points.map(({ x }) => x)));
  const yTicks = ticksUpTo(plot.yMost ?? Math.max(1e-9, ...points.map(({ y, high }) => high ?? y)));
  const toX = scale(xTicks.at(-1) ?? 1, EDGE.left, WIDTH - EDGE.right);
  const toY = scale(yTicks.at(-1) ?? 1, HEIGHT - EDGE.bottom, EDGE.top);
  const body = plot.series.map((series, place) => drawSeries(plot, { series, place }, { toX, toY })).join('');
  return [
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(plot.title)}">`,
    ...yTicks.map((tick) => gridLine(EDGE.left, toY(tick), WIDTH - EDGE.right, toY(tick))),
    ...yTicks.map((tick) => label(EDGE.left - 8, toY(tick) + 4, short(tick), 'end')),
    ...xTicks.map((tick) => label(toX(tick), HEIGHT - EDGE.bottom + 18, short(tick), 'middle')),
    label((EDGE.left + WIDTH - EDGE.right) / 2, HEIGHT - 8, plot.xLabel, 'middle'),
    `<text transform="translate(14 ${(EDGE.top + HEIGHT - EDGE.bottom) / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(plot.yLabel)}</text>`,
    body,
    '</svg>',
  ].join('');
}

interface Scales {
  readonly toX: (value: number) => number;
  readonly toY: (value: number) => number;
}

function drawSeries(plot: Plot, { series, place }: { series: PlotSeries; place: number }, { toX, toY }: Scales): string {
  const colour = colourOf(place);
  const at = series.points.map((point) => ({ ...point, left: toX(point.x), top: toY(point.y) }));
  const path = at.map(({ left, top }, index) => `${index === 0 ? 'M' : 'L'}${left.toFixed(1)} ${top.toFixed(1)}`).join('');
  const line = plot.lines && at.length > 1 ? `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>` : '';
  const bars = at.map(({ left, low, high }) =>
    low === undefined || high === undefined
      ? ''
      : `<path d="M${left.toFixed(1)} ${toY(low).toFixed(1)}V${toY(high).toFixed(1)}" stroke="${colour}" stroke-width="1.5"/>`,
  );
  const marks = at.map(({ left, top, x, y }) => {
    const tip = `${series.name}: ${plot.xLabel} ${short(x)}, ${plot.yLabel} ${short(y)}`;
    return `<g fill="${colour}">${shape(place, left, top)}<title>${escapeHtml(tip)}</title></g>`;
  });
  return line + bars.join('') + marks.join('');
}

export function shape(place: number, x: number, y: number): string {
  const [left, top] = [x.toFixed(1), y.toFixed(1)];
  switch (place % 4) {
    case 0:
      return `<circle cx="${left}" cy="${top}" r="5"/>`;
    case 1:
      return `<rect x="${(x - 4.5).toFixed(1)}" y="${(y - 4.5).toFixed(1)}" width="9" height="9"/>`;
    case 2:
      return `<path d="M${left} ${(y - 6).toFixed(1)}l6 10.5h-12z"/>`;
    default:
      return `<path d="M${left} ${(y - 6.5).toFixed(1)}l6.5 6.5-6.5 6.5-6.5-6.5z"/>`;
  }
}

/** Bars from zero, one for each name, which stands above its bar and may be long. */
export function renderBars(
  title: string,
  bars: readonly { readonly name: string; readonly value: number; readonly shown: string }[],
): string {
  const row = 48;
  const toX = scale(Math.max(1e-12, ...bars.map(({ value }) => value)), 0, WIDTH - 110);
  const drawn = bars.map(({ name, value, shown }, place) => {
    const y = place * row;
    const width = Math.max(1, toX(value));
    const bar = `<rect x="0" y="${y + 22}" width="${width.toFixed(1)}" height="18" fill="${colourOf(place)}"/>`;
    return `${label(0, y + 16, name, 'start')}${bar}${label(width + 6, y + 36, shown, 'start')}`;
  });
  return `<svg viewBox="0 0 ${WIDTH} ${bars.length * row}" role="img" aria-label="${escapeHtml(title)}">${drawn.join('')}</svg>`;
}

function scale(most: number, from: number, to: number): (value: number) => number {
  return (value) => from + ((to - from) * value) / most;
}

/** From 0 in round steps to the first that is not below the largest value; five or six in all. */
function ticksUpTo(most: number): number[] {
  const rough = most / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => rough <= factor * power * (1 + 1e-9)) ?? 10);
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

function short(value: number): string {
  if (value >= 1_000_000) return `${Number((value / 1_000_000).toPrecision(3))}M`;
  if (value >= 10_000) return `${Number((value / 1000).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
}

function gridLine(x1: number, y1: number, x2: number, y2: number): string {
  return `<path class="grid" d="M${x1} ${y1.toFixed(1)}L${x2} ${y2.toFixed(1)}"/>`;
}

function label(x: number, y: number, text: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
}
