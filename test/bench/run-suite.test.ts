import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readHistory } from '../../src/app/bench-history.ts';
import type { BenchReport } from '../../src/bench/bench-report.ts';
import type { CellResult } from '../../src/bench/cell.ts';
import { compareReports } from '../../src/bench/compare-reports.ts';
import { findShortfalls, readGateRule } from '../../src/bench/gate.ts';
import { renderHtml } from '../../src/bench/report/render-html.ts';
import { renderMarkdown } from '../../src/bench/report/render-markdown.ts';
import { renderText } from '../../src/bench/report/render-text.ts';
import type { SoloistError } from '../../src/core/errors.ts';
import { Scope } from '../../src/core/scope.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';
import { bench, PROJECT, writeProject } from './suite-project.ts';

async function problemsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { folder, remove } = writeProject(files);
  try {
    const error = await bench(folder).then(
      () => undefined,
      (thrown: SoloistError) => thrown,
    );
    return (error?.problems ?? []).map(({ where, fact, fix }) => `${where.replace(`${folder}/`, '')}: ${fact}; ${fix}`);
  } finally {
    remove();
  }
}

describe('a suite under rules', () => {
  let folder: string;
  let remove: () => void;
  let report: BenchReport;
  beforeAll(async () => {
    ({ folder, remove } = writeProject());
    ({ report } = await bench(folder));
  });
  afterAll(() => remove());

  it('runs every design on every case with every seed, on data made for the seed', () => {
    expect(report.cells.map((cell) => `${cell.case} ${cell.seed} ${cell.design}`)).toEqual(
      ['few', 'many'].flatMap((id) => [1, 2, 3].flatMap((seed) => [`${id} ${seed} alone`, `${id} ${seed} lead`])),
    );
    expect(report.cells.map(({ passed, failure }) => ({ passed, failure }))).toEqual(Array(12).fill({ passed: true, failure: undefined }));
    expect(report.cells[0]?.answer).toMatch(/^11 rows/);
    expect(report.cells.at(-1)?.answer).toMatch(/^43 rows/);
  });

  it('reads from the log what was used, children included, and can be looked at there', async () => {
    const log = await openEventLog({ folder: join(folder, 'home', 'bench'), tenant: 'local' });
    try {
      for (const cell of report.cells) {
        let inputTokens = 0;
        let calls = 0;
        for (const { body } of log.read(cell.session)) {
          if (body.type === 'model.replied') {
            inputTokens += body.usage.inputTokens ?? 0;
            calls++;
          }
        }
        expect([cell.usage.inputTokens, cell.usage.modelCalls]).toEqual([inputTokens, calls]);
        expect(cell.usage.modelCalls).toBe(cell.design === 'lead' ? 4 : 2);
        expect(cell.usage.children).toBe(cell.design === 'lead' ? 1 : 0);
      }
    } finally {
      log.close();
    }
  });

  it('says in words, with the pairs, what the second design costs', () => {
    const [small, large, all] = report.groups[0]!.verdicts;
    expect(small).toMatch(/^On \*small\* tasks there are not enough runs to tell lead from alone: 3 pairs of the 5/);
    expect(large).toMatch(/2 more would do for costs, 155 in all for success/);
    expect(all).toMatch(
      /^Over all tasks alone is (better in all|faster and takes fewer tokens): lead takes .* times .* the wall time, .* times .* the tokens and .* peak context, at equal success/,
    );
    expect(report.groups[0]!.differences.at(-1)).toMatchObject({ pairs: 6, passed: 6, baselinePassed: 6 });
  });

  it('labels simulated time wherever it stands', () => {
    for (const text of [renderText(report), renderMarkdown(report), renderHtml(report)]) {
      expect(text).toContain('wall, simulated');
      expect(text).toMatch(/no model was called/);
      expect(text).not.toMatch(/>wall<|\| wall \|/);
    }
  });

  it('gives the verdicts of the audit for each design and each case', () => {
    const [, ofCases = ''] = renderMarkdown(report).split('## Case by case');
    const paid = report.cells.filter(({ design, case: id }) => design === 'lead' && id === 'few').reduce((sum, cell) => sum + cell.paid, 0);
    expect(ofCases).toMatch(new RegExp(`\\| few \\| 10 \\| lead .* ${paid} of 3 \\|`));
    expect(ofCases).toMatch(/\| few \| 10 \| alone .* – \|/);
  });

  it('makes a page that needs nothing from elsewhere, with four plots', () => {
    const page = renderHtml(report);
    expect(page.match(/<figure>/g)).toHaveLength(4);
    expect(page).not.toMatch(/<script|<link|src=|href=|@import|url\(/);
    expect(page).toContain('Wall time (simulated) against rows');
    // A column of plots is never wider than the screen, and a long text does not make its table so.
    expect(page).toContain('minmax(min(420px,100%),1fr)');
    const detail = 'x, '.repeat(40);
    const long = renderHtml({ ...report, fairness: [{ what: 'tools', state: 'same', detail }] });
    expect(long).toContain(`<td class="long">${detail}</td>`);
  });

  it('draws one point for each place on the axis, also where several cases stand there', () => {
    const marks = (page: string): number =>
      page
        .split('Wall time (simulated)')
        .at(-1)
        ?.split('</figure>')[0]
        ?.match(/<title>/g)?.length ?? 0;
    const [group] = report.groups;
    expect(marks(renderHtml(report))).toBe(4);
    const doubled = { ...group!, cases: [...group!.cases, ...group!.cases.map((one) => ({ ...one, case: `${one.case} again` }))] };
    expect(marks(renderHtml({ ...report, groups: [doubled] }))).toBe(4);
  });

  it('escapes what suites and models say', () => {
    const page = renderHtml({ ...report, about: '<img src=x onerror=alert(1)>', designs: [{ name: 'a"b', about: '<b>' }] });
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
  });

  it('leaves what differs from run to run out of the Markdown', async () => {
    const again = await bench(folder, { fresh: true });
    expect(again.report.run).not.toBe(report.run);
    expect(renderMarkdown(again.report)).toBe(renderMarkdown(report));
  });

  it('keeps its runs for the history, newest first', async () => {
    const options = { folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } };
    const { runs } = await readHistory(options, 'counting', 10);
    expect(runs.at(-1)).toMatchObject({ run: report.run, finished: true, cells: 12, planned: 12 });
    expect(runs.at(-1)?.designs.map(({ design, passed, timing }) => ({ design, passed, timing }))).toEqual([
      { design: 'alone', passed: 6, timing: 'simulated' },
      { design: 'lead', passed: 6, timing: 'simulated' },
    ]);
    await expect(readHistory(options, 'other', 10)).rejects.toThrow('no suite "other" has been run here');
  });

  it('compares a report with itself as no change, and refuses to compare simulated with measured', () => {
    const [comparison] = compareReports(report, report);
    expect(comparison?.verdicts[0]).toMatch(
      /alone now takes the same wall time, the same tokens and the same peak context, compared with alone before/,
    );
    const measured = { ...report, cells: report.cells.map((cell): CellResult => ({ ...cell, timing: 'measured' })) };
    expect(compareReports(report, measured)).toEqual([]);
  });

  it('falls short of a rule only where it does', () => {
    const rule = (text: string) => readGateRule(text)!;
    expect(findShortfalls(report, [rule('success=0.9')])).toEqual([]);
    const failing = {
      ...report,
      groups: report.groups.map((group) => ({
        ...group,
        designs: group.designs.map((one) => ({ ...one, passed: 5, success: { value: 5 / 6, low: 0.4, high: 0.97 } })),
      })),
    };
    expect(findShortfalls(failing, [rule('lead.success=0.9')])).toEqual(['lead.success=0.9: lead has 0.833 (5 of 6)']);
    expect(findShortfalls(report, [rule('other.success=0.9')])).toEqual(['other.success=0.9: there are no runs of other']);
    expect(['success=2', 'speed=0.5', 'success'].map(readGateRule)).toEqual([undefined, undefined, undefined]);
  });
});

describe('an interrupted suite', () => {
  it('goes on without running finished cells again', async () => {
    const { folder, remove } = writeProject();
    try {
      const scope = new Scope();
      const before: string[] = [];
      const first = await bench(folder, {
        scope,
        onCell: (cell, done) => {
          before.push(cell.session);
          if (done.length === 5) scope.stop({ kind: 'interrupted' });
        },
      });
      expect(first.finished).toBe(false);
      expect(first.report.cells).toHaveLength(5);
      const after: string[] = [];
      let kept = 0;
      const second = await bench(folder, {
        onStart: (start) => {
          kept = start.kept.length;
        },
        onCell: (cell) => after.push(cell.session),
      });
      expect(second.finished).toBe(true);
      expect(second.report.run).toBe(first.report.run);
      expect([kept, after.length]).toEqual([5, 7]);
      expect(new Set(second.report.cells.map(({ session }) => session))).toEqual(new Set([...before, ...after]));
      const whole = await bench(folder);
      expect(whole.report.run).not.toBe(first.report.run);
      expect(renderMarkdown(whole.report)).toBe(renderMarkdown(second.report));
    } finally {
      remove();
    }
  });

  it.each([
    ['other rules', 'agents/policies/alone.mjs', PROJECT['agents/policies/alone.mjs']],
    ['rules that import something else', 'agents/policies/parts/shared.mjs', 'export const shared = 1;'],
    ['a generator that imports something else', 'names.mjs', 'export const names = 1;'],
  ])('does not go on with a run of %s', async (_, file, text) => {
    const { folder, remove } = writeProject({ [file]: text ?? '' });
    try {
      const scope = new Scope();
      const stop = { scope, onCell: () => scope.stop({ kind: 'interrupted' }) };
      const first = await bench(folder, stop);
      const changed = writeProject({ [file]: `// Changed.\n${text}` });
      const other = new Scope();
      const second = await bench(changed.folder, {
        environment: { SOLOIST_HOME: join(folder, 'home') },
        scope: other,
        onCell: () => other.stop({ kind: 'interrupted' }),
      });
      changed.remove();
      expect(second.report.run).not.toBe(first.report.run);
      expect(second.report.cells).toHaveLength(1);
    } finally {
      remove();
    }
  });
});

describe('what is run', () => {
  it('is chosen by design, case, tag or a single cell', async () => {
    const { folder, remove } = writeProject();
    try {
      const placesOf = async (only: readonly string[]): Promise<string[]> =>
        (await bench(folder, { only })).report.cells.filter(({ seed }) => seed === 1).map((cell) => `${cell.design}/${cell.case}`);
      expect(await placesOf(['lead', 'small'])).toEqual(['lead/few']);
      expect(await placesOf(['alone'])).toEqual(['alone/few', 'alone/many']);
      expect(await placesOf(['lead/many', 'alone/few'])).toEqual(['alone/few', 'lead/many']);
      await expect(bench(folder, { only: ['leed'] })).rejects.toMatchObject({ code: 'usage', fix: 'did you mean "lead"?' });
      await expect(bench(folder, { only: ['many/lead'] })).rejects.toMatchObject({ code: 'usage', fix: 'write a pair as design/case' });
    } finally {
      remove();
    }
  });

  it('gives the same results several at a time', async () => {
    const { folder, remove } = writeProject();
    try {
      const one = await bench(folder, { only: ['few'] });
      const four = await bench(folder, { only: ['few'], concurrency: 4 });
      expect(renderMarkdown(four.report)).toBe(renderMarkdown(one.report));
    } finally {
      remove();
    }
  });

  it('fails by kind: a wrong figure, a crash of the rules, no tool called', async () => {
    const wrong = `export default async (play) => {
  const { data } = await play.call('query_sql', { sql: 'SELECT count(*) FROM items' });
  if (data.rows[0][0] === 11) throw new Error('eleven');
  return data.rows[0][0] === 12 ? 'Some rows, about 5.' : '7 rows';
};
`;
    const silent = "export default async () => 'I think there are 5 rows.';\n";
    const { folder, remove } = writeProject({ 'agents/policies/alone.mjs': wrong, 'agents/policies/lead.mjs': silent });
    try {
      const { report } = await bench(folder, { only: ['few'] });
      const kinds = report.cells.map(({ design, seed, failure }) => `${design} ${seed}: ${failure}`);
      expect(kinds).toEqual([
        'alone 1: model_failed',
        'lead 1: no_check',
        'alone 2: wrong_figure',
        'lead 2: no_check',
        'alone 3: wrong_figure',
        'lead 3: no_check',
      ]);
      const [alone, lead] = report.groups[0]!.designs;
      expect(alone?.failures).toEqual({ model_failed: 1, wrong_figure: 2 });
      expect(lead?.success).toMatchObject({ value: 0, low: 0 });
      expect(lead?.costPerSuccess).toBeUndefined();
    } finally {
      remove();
    }
  });
});

it('puts the skills of a design, and of no other, into every prompt', async () => {
  const text = 'Count every row once, and no row twice, whatever the table is.';
  const suite = PROJECT['counting.yaml']!.replace(
    '  lead: { agent: lead',
    '  skilled: { agent: alone, skills: [counting] }\n  lead: { agent: lead',
  );
  const skill = (body: string): string => `---\nname: counting\ndescription: Counts.\nwhen_to_use: Rows are counted.\n---\n${body}\n`;
  const { folder, remove } = writeProject({ 'counting.yaml': suite, 'skills/counting.md': skill(text) });
  try {
    const { report } = await bench(folder, { only: ['few'] });
    const perCall = (design: string): number => {
      const [{ usage } = { usage: { inputTokens: 0, modelCalls: 1 } }] = report.cells.filter((cell) => cell.design === design);
      return usage.inputTokens / usage.modelCalls;
    };
    const longer = `Skill counting. When to use it: Rows are counted.\n\n${text}\n\n`.length;
    expect(Math.abs(perCall('skilled') - perCall('alone') - longer / 4)).toBeLessThan(1);
    const stopped = new Scope();
    const stop = { scope: stopped, onCell: () => stopped.stop({ kind: 'interrupted' }) };
    const first = await bench(folder, stop);
    writeFileSync(join(folder, 'skills/counting.md'), skill(`${text} Really.`));
    const again = new Scope();
    const second = await bench(folder, { scope: again, onCell: () => again.stop({ kind: 'interrupted' }) });
    expect(second.report.run).not.toBe(first.report.run);
  } finally {
    remove();
  }
});

describe('fairness', () => {
  const suite = PROJECT['counting.yaml']!;

  it('stops a suite whose designs differ in what is not tested, at the place', async () => {
    const more = suite.replace('alone: { agent: alone,', 'alone: { agent: alone, tools: [query_sql, find_nothing],');
    const [problem, ...rest] = await problemsOf({ 'counting.yaml': more });
    expect(rest).toEqual([]);
    expect(problem).toMatch(
      /^counting.yaml:4:1: the designs are not comparable: tools in total differs \(alone: 2 \(find_nothing\); lead: 1\)/,
    );
    expect(
      (
        await problemsOf({ 'counting.yaml': suite.replace('alone: { agent: alone,', 'alone: { agent: alone, limits: { tokens: 5000 },') })
      )[0],
    ).toMatch(/budget of tokens differs \(alone: 5000 tokens; lead: 100000 tokens\)/);
  });

  it('lets them differ in what is named, and prints that', async () => {
    const text = suite
      .replace('alone: { agent: alone,', 'alone: { agent: alone, tools: [query_sql, find_nothing],')
      .replace('axis: rows', 'axis: rows\nvaries: [tools]\nbudget: { tokens: 50000, seconds: 60 }');
    const { folder, remove } = writeProject({ 'counting.yaml': text });
    try {
      const { report } = await bench(folder, { only: ['few'] });
      expect(report.fairness.map(({ what, state }) => `${what}: ${state}`)).toEqual([
        'tools in total: differs on purpose',
        'model: same',
        'budget of tokens: same',
        'other limits: same',
      ]);
      expect(report.fairness[2]?.detail).toBe('50000 tokens');
    } finally {
      remove();
    }
  });
});
