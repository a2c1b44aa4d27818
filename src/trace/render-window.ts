import { clip } from './clip-text.ts';
import { count } from './format-figures.ts';
import type { Paint } from './paint.ts';
import type { WindowReport } from './window-report.ts';

/** The window of a step: a line for each category with its tokens, and below it what it holds. */
export function renderWindow(report: WindowReport, { paint, most }: { readonly paint: Paint; readonly most: number }): string {
  const { countedTokens } = report;
  const total =
    countedTokens === undefined
      ? `about ${count(report.estimatedTokens)} tokens in all (estimated at four characters a token)`
      : `${count(countedTokens)} tokens in all by the model's count; the shares are estimated by length`;
  const head = `Session ${report.session} · ${report.path} ${report.agent} · window at step ${report.step}: ${total}`;
  const width = Math.max(...report.categories.map(({ category }) => category.length));
  const table = report.categories.map(
    ({ category, tokens, items }) =>
      `${category.padEnd(width)}  ${`~${count(tokens)}`.padStart(8)}  ${items.length === 0 ? paint.dim('nothing') : items.length === 1 ? '1 part' : `${items.length} parts`}`,
  );
  const parts = report.categories
    .filter(({ items }) => items.length > 0)
    .map(({ category, items }) => {
      const lines = items.map(
        ({ what, tokens, content }) => `  ${paint.bold(what)} ${paint.dim(`~${count(tokens)}`)}  ${clip(content, most)}`,
      );
      return `${paint.bold(category)}\n${lines.join('\n')}`;
    });
  const gaps = report.gaps.map((gap) => paint.warn(`not known: ${gap}`));
  return `${[paint.bold(head), [...table, ...gaps].join('\n'), ...parts].join('\n\n')}\n`;
}
