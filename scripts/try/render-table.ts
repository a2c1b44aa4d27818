/** One call of one tool on one file. */
export interface Trial {
  readonly file: string;
  readonly kind: string;
  readonly tool: string;
  readonly outcome: 'ok' | 'refused' | 'wrong';
  readonly detail: string;
  readonly seconds: number;
}

const MOST_EXAMPLES = 60;

/** Tool × kind with counts and the longest time, then every wrong one, then why calls were refused. */
export function renderTable(trials: readonly Trial[], note: string): string {
  const groups = new Map<string, Trial[]>();
  for (const trial of trials) groups.set(`${trial.tool}|${trial.kind}`, [...(groups.get(`${trial.tool}|${trial.kind}`) ?? []), trial]);
  const count = (list: readonly Trial[], outcome: Trial['outcome']) => list.filter((one) => one.outcome === outcome).length;
  const rows = [...groups].map(([key, list]) => {
    const slowest = Math.max(...list.map(({ seconds }) => seconds));
    const [tool = '', kind = ''] = key.split('|');
    return [tool, kind, count(list, 'ok'), count(list, 'refused'), count(list, 'wrong'), slowest.toFixed(2)];
  });
  const table = aligned([
    ['tool', 'kind', 'ok', 'refused', 'wrong', 'slowest s'],
    ...rows.sort((left, right) => (String(left) < String(right) ? -1 : 1)),
  ]);
  const wrong = trials.filter(({ outcome }) => outcome === 'wrong');
  const files = new Set(trials.map(({ file }) => file.split(' ')[0])).size;
  const shown = wrong.slice(0, MOST_EXAMPLES).map((one) => `wrong: ${one.tool} ${one.file}: ${one.detail.slice(0, 300)}`);
  return `${[table, '', ...shown, `${files} files, ${trials.length} calls, ${wrong.length} wrong. ${note}`].join('\n')}\n`;
}

function aligned(rows: readonly (readonly (string | number)[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          typeof cell === 'number' ? String(cell).padStart(widths[column] ?? 0) : String(cell).padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
