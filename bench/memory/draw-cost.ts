import type { CostRow } from './cost-rows.ts';

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 70;
const BOTTOM = 50;
const TOP = 30;
const RIGHT = 130;
const HIGHEST = 1_000_000;
const MOST_SESSIONS = 1000;

/** Tokens a turn over sessions, both on logarithmic scales, as an SVG. */
export function drawCost(rows: readonly CostRow[]): string {
  const x = (sessions: number): number => LEFT + (Math.log10(sessions) / Math.log10(MOST_SESSIONS)) * (WIDTH - LEFT - RIGHT);
  const y = (tokens: number): number => HEIGHT - BOTTOM - (Math.log10(Math.max(1, tokens)) / Math.log10(HIGHEST)) * (HEIGHT - BOTTOM - TOP);
  const line = (name: 'replay' | 'recall', colour: string, title: string): string => {
    const points = rows.map((row) => `${x(row.sessions).toFixed(1)},${y(row[name]).toFixed(1)}`);
    const last = rows.at(-1);
    const dots = points
      .map((point) => `<circle cx="${point.split(',')[0]}" cy="${point.split(',')[1]}" r="3.5" fill="${colour}"/>`)
      .join('');
    const label = last ? `<text x="${x(last.sessions) + 10}" y="${y(last[name]) + 4}" fill="${colour}">${title}</text>` : '';
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}${label}`;
  };
  const across = [1, 10, 100, 1000].map(
    (sessions) =>
      `<line x1="${x(sessions)}" y1="${TOP}" x2="${x(sessions)}" y2="${HEIGHT - BOTTOM}" stroke="#ddd"/><text x="${x(sessions)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${sessions}</text>`,
  );
  const up = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].map(
    (tokens) =>
      `<line x1="${LEFT}" y1="${y(tokens)}" x2="${WIDTH - RIGHT}" y2="${y(tokens)}" stroke="#ddd"/><text x="${LEFT - 8}" y="${y(tokens) + 4}" text-anchor="end">${tokens.toLocaleString('en')}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>Tokens that memory adds to one turn</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
${[...across, ...up].join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">sessions so far</text>
<text x="${LEFT}" y="18">tokens a turn</text>
${line('replay', '#b5482a', 'transcripts replayed')}
${line('recall', '#1f6f8b', 'recalled')}
</svg>
`;
}
