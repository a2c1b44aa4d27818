import type { Play } from '../../../../src/core/policy.ts';
import { askChildren } from '../../data-quality/ask-children.ts';
import { factsOfConclusion } from '../../table-profiler/table-facts.ts';
import type { Finding, PartReport } from '../part-report.ts';
import { enumerate } from '../read-data.ts';
import type { ListedTable } from './choose-tables.ts';

/** From so many tables on, profilers of their own pay: each long profile stays with its child, two lines come up. */
const MANY_TABLES = 12;
const MOST_TABLES = 24;
const PROFILER = 'table_profiler';

/** Whether these tables are given to profilers, rather than profiled one tool call each. */
export function profilersPay(play: Play, tables: readonly ListedTable[]): boolean {
  return tables.length > MANY_TABLES && play.tools.has(PROFILER);
}

/** Profiles many tables, each by a profiler of its own in parallel; those that gave no conclusion are named. */
export async function delegateProfiles(play: Play, tables: readonly ListedTable[]): Promise<PartReport> {
  const chosen = tables.slice(0, MOST_TABLES);
  const tasks = chosen.map(({ name, source }) => ({
    goal: `Profile the table ${name} and say what is odd in it.`,
    inputs: { table: name, source },
    expect: 'Two lines: what the table holds, and what is odd, each figure with the id of its result.',
  }));
  const because = `${tasks.length} tables that have nothing to do with one another, each with a long profile and a conclusion of two lines.`;
  const answers = await askChildren(play, PROFILER, tasks, because);
  const told = answers.map((answer, index) => ({ ...answer, table: chosen[index]?.name ?? '' }));
  const findings = told.flatMap(({ text, evidence, gap, table }): Finding[] =>
    gap === undefined
      ? factsOfConclusion(text).map((fact) => ({ kind: 'observation', claim: `${fact}.`, evidence, confidence: 'high' }))
      : [{ kind: 'not_checked', claim: `\`${table}\` could not be profiled: ${gap}`, evidence: [], confidence: 'low' }],
  );
  const left = tables.length - chosen.length;
  const rest: Finding[] =
    left > 0 ? [{ kind: 'not_checked', claim: `${left} more tables were not profiled.`, evidence: [], confidence: 'low' }] : [];
  const known = told
    .filter(({ gap }) => gap === undefined)
    .map(({ text, table }) => ({ table, lines: text.split('\n').filter((line) => line !== '') }));
  const odd = known.filter(({ lines }) => lines.some((line) => line.startsWith('Odd: ')));
  const clean = known.filter((one) => !odd.includes(one));
  const shown = [...odd, ...clean].map(({ lines }) => `- ${lines.join('. ')}.`);
  const names = odd.map(({ table }) => `\`${table}\``);
  const head = `Of the tables, each looked at by a profiler of its own, these hold something odd: ${enumerate(names, MOST_TABLES) || 'none'}.`;
  return { answer: [head], detail: shown, findings: [...findings, ...rest] };
}
