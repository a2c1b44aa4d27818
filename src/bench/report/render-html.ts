import type { BenchReport, CaseSummary, ReportGroup } from '../bench-report.ts';
import { escapeHtml } from './escape-html.ts';
import { money, whole } from './format-values.ts';
import { type ReportTable, tablesOf } from './report-tables.ts';
import { colourOf, type PlotSeries, renderBars, renderPlot, shape } from './svg-plot.ts';

const STYLE = `:root{color-scheme:light dark;--ink:#1b1b1b;--paper:#fff;--line:#d5d5d5;--soft:#666}
@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--paper:#161616;--line:#3a3a3a;--soft:#a0a0a0}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:1200px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}h3{font-size:1rem}
.soft{color:var(--soft)}.mark{display:inline-block;border:1px solid;border-radius:4px;padding:0 .4em;font-size:.8em;font-weight:400}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;white-space:nowrap}th{white-space:normal;vertical-align:bottom;min-width:4.5em}
.right{text-align:right}td.long{white-space:normal;min-width:16rem}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(420px,100%),1fr));gap:1.2rem}figure{margin:0}figcaption{font-weight:600}
svg{width:100%;height:auto;overflow:visible}svg text{font-size:12px;fill:var(--ink)}.grid{stroke:var(--line)}
@media(max-width:600px){svg text{font-size:17px}}
.legend span{margin-right:1.2rem;white-space:nowrap}.legend svg{width:14px;height:14px;vertical-align:-2px}`;

/** Cells of more characters than this are broken into lines. */
const LONG = 60;

/** The report as one page that needs nothing else: no script, no network. */
export function renderHtml(report: BenchReport): string {
  const missing = report.cellsPlanned - report.cells.length;
  const body = [
    `<h1>${escapeHtml(report.suite)}</h1><p>${escapeHtml(report.about)}</p>`,
    report.claim === '' ? '' : `<p><strong>Bears on:</strong> ${escapeHtml(report.claim)}</p>`,
    missing > 0 ? `<p><strong>Not finished:</strong> ${report.cells.length} of ${report.cellsPlanned} runs are there.</p>` : '',
    list(
      report.designs.map(
        ({ name, about }) =>
          `<strong>${escapeHtml(name)}</strong>${name === report.baseline ? ' (the baseline)' : ''}${about === '' ? '' : `: ${escapeHtml(about)}`}`,
      ),
    ),
    ...report.groups.map((group) => renderGroup(group, report)),
    `<h2>Fairness</h2>${renderTable({
      title: '',
      columns: ['what', 'is', 'detail'].map((name) => ({ name, right: false })),
      rows: report.fairness.map(({ what, state, detail }) => [what, state, detail]),
    })}`,
    `<h2>How it was run</h2>${list(report.conditions.map(escapeHtml))}`,
    `<p class="soft">Run ${escapeHtml(report.run)}, begun ${escapeHtml(report.startedAt)}, soloist ${escapeHtml(report.version)}.</p>`,
  ].join('\n');
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(report.suite)}</title><style>${STYLE}</style></head><body>\n${body}\n</body></html>\n`;
}

function renderGroup(group: ReportGroup, report: BenchReport): string {
  const mark = group.timing === 'simulated' ? 'simulated time, no model was called' : 'measured';
  const verdicts = group.verdicts.map((sentence) => escapeHtml(sentence).replace(/\*([^*]+)\*/g, '<em>$1</em>'));
  const tables = tablesOf(group, report.axis).filter(({ rows }) => rows.length > 0);
  return [
    `<h2>Verdict <span class="mark">${mark}</span></h2>`,
    verdicts.length === 0 ? '<p>There is nothing to compare with the baseline.</p>' : list(verdicts),
    renderLegend(group),
    `<div class="plots">${renderPlots(group, report).join('')}</div>`,
    ...tables.map((table) => `<h3>${escapeHtml(table.title)} <span class="mark">${mark}</span></h3>${renderTable(table)}`),
  ].join('\n');
}

function renderLegend({ designs }: ReportGroup): string {
  const entries = designs.map(
    ({ design }, place) =>
      `<span><svg viewBox="0 0 14 14"><g fill="${colourOf(place)}">${shape(place, 7, 7)}</g></svg> ${escapeHtml(design)}</span>`,
  );
  return `<p class="legend">${entries.join('')}</p>`;
}

function renderPlots(group: ReportGroup, { axis = 'x', price }: BenchReport): string[] {
  const simulated = group.timing === 'simulated' ? ' (simulated)' : '';
  const success: PlotSeries[] = group.designs.map(({ design, inputTokens, outputTokens, success: share }) => ({
    name: design,
    points: share ? [{ x: inputTokens + outputTokens, y: share.value * 100, low: share.low * 100, high: share.high * 100 }] : [],
  }));
  const plots = [
    figure(
      'Success against tokens, with 95 % intervals',
      renderPlot({
        title: 'Success against tokens',
        xLabel: 'tokens per run',
        yLabel: 'success, %',
        series: success,
        lines: false,
        yMost: 100,
      }),
    ),
  ];
  if (new Set(group.cases.flatMap(({ x }) => (x === undefined ? [] : [x]))).size > 1) {
    const wall = `Wall time${simulated} against ${axis}`;
    const peak = `Peak context of the agent asked against ${axis}`;
    plots.push(
      figure(
        wall,
        renderPlot({
          title: wall,
          xLabel: axis,
          yLabel: `seconds${simulated}`,
          series: seriesOf(group, ({ wallMs }) => wallMs / 1000, meanOf),
          lines: true,
        }),
      ),
      figure(
        peak,
        renderPlot({
          title: peak,
          xLabel: axis,
          yLabel: 'tokens',
          series: seriesOf(group, ({ peakOrchestrator }) => peakOrchestrator, largestOf),
          lines: true,
        }),
      ),
    );
  }
  const perSuccess =
    price || group.designs.some(({ cost }) => cost !== undefined) ? 'Cost per success' : 'Tokens per success (no price is stated)';
  return [...plots, figure(perSuccess, renderBars(perSuccess, successBars(group)))];
}

function successBars({ designs }: ReportGroup) {
  return designs.map(({ design, cells, passed, costPerSuccess, cost, inputTokens, outputTokens }) => {
    if (passed === 0) return { name: design, value: 0, shown: 'no success' };
    if (cost !== undefined) return { name: design, value: costPerSuccess ?? 0, shown: money(costPerSuccess) };
    const tokens = ((inputTokens + outputTokens) * cells) / passed;
    return { name: design, value: tokens, shown: whole(tokens) };
  });
}

/** One point for each place on the axis, whatever number of cases stands there. */
function seriesOf(
  { designs, cases }: ReportGroup,
  measure: (summary: CaseSummary) => number,
  join: (values: readonly number[]) => number,
): PlotSeries[] {
  return designs.map(({ design }) => {
    const own = cases.filter((one) => one.design === design);
    const places = [...new Set(own.flatMap(({ x }) => (x === undefined ? [] : [x])))].sort((left, right) => left - right);
    return { name: design, points: places.map((x) => ({ x, y: join(own.filter((one) => one.x === x).map(measure)) })) };
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function largestOf(values: readonly number[]): number {
  return Math.max(...values);
}

function figure(caption: string, svg: string): string {
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption>${svg}</figure>`;
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function renderTable({ columns, rows }: ReportTable): string {
  const cell = (tag: 'th' | 'td', text: string, place: number): string => {
    const kind = columns[place]?.right ? ' class="right"' : text.length > LONG ? ' class="long"' : '';
    return `<${tag}${kind}>${escapeHtml(text).replaceAll(' %', '&nbsp;%')}</${tag}>`;
  };
  const head = columns.map(({ name }, place) => cell('th', name, place)).join('');
  const body = rows.map((row) => `<tr>${row.map((text, place) => cell('td', text, place)).join('')}</tr>`).join('');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
