import type { ArmResult, SetResult } from './evaluate-set.ts';
import { meanOf } from './measures.ts';

const COLUMNS: readonly (readonly [keyof ArmResult, string])[] = [
  ['ndcg10', 'nDCG@10'],
  ['recall5', 'recall@5'],
  ['recall10', 'recall@10'],
  ['recall20', 'recall@20'],
  ['covered256', 'evidence in 256 tokens'],
  ['covered1024', 'in 1,024'],
  ['covered256Floored', 'in 256 above the floor'],
  ['covered1024Floored', 'in 1,024 above the floor'],
];

/** Results as Markdown: a table a set, and one of the means where there are several. */
export function renderResults(results: readonly SetResult[]): string {
  const parts = results.map(renderSet);
  if (results.length > 1) parts.push(`## Mean of ${results.length} sets\n\n${renderArms(meanArms(results))}`);
  return parts.join('\n\n');
}

function renderSet(result: SetResult): string {
  const {
    name,
    sessions,
    turns,
    facts,
    questions,
    unanswerable,
    staleFirst,
    conflictsShown,
    abstained,
    milliseconds,
    mode,
    notices,
    weight,
  } = result;
  const lines = [
    `## ${name}`,
    '',
    `${sessions} sessions, ${turns} turns, ${facts} facts, ${questions} questions (${unanswerable} without an answer). Recall: ${mode}${weight === undefined ? '' : `, vector weight ${weight}`}.${notices.map((notice) => ` ${notice}.`).join('')}`,
    '',
    renderArms(result.arms),
    '',
    ...(staleFirst.of > 0 ? [`- a superseded value came first in ${staleFirst.times} of ${staleFirst.of} questions`] : []),
    ...(conflictsShown.of > 0
      ? [`- both sides of a contradiction shown and flagged in ${conflictsShown.times} of ${conflictsShown.of}`]
      : []),
    ...(abstained.of > 0
      ? [
          `- no note above the floor for ${abstained.notes} of ${abstained.of} questions without an answer; nothing at all for ${abstained.everything}`,
        ]
      : []),
    `- one recall took ${milliseconds.p50.toFixed(1)} ms (p50), ${milliseconds.p95.toFixed(1)} ms (p95)`,
  ];
  return lines.join('\n');
}

function renderArms(arms: readonly ArmResult[]): string {
  const head = ['', ...COLUMNS.map(([, title]) => title)];
  const rows = arms.map((arm) => [arm.arm, ...COLUMNS.map(([name]) => (typeof arm[name] === 'number' ? arm[name].toFixed(3) : ''))]);
  return [head, head.map((_, place) => (place === 0 ? '---' : '--:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function meanArms(results: readonly SetResult[]): readonly ArmResult[] {
  const names = [...new Set(results.flatMap(({ arms }) => arms.map(({ arm }) => arm)))];
  return names.map((arm) => {
    const rows = results.flatMap((result) => result.arms.filter((candidate) => candidate.arm === arm));
    const means = COLUMNS.map(([name]) => [
      name,
      rows.every((row) => typeof row[name] === 'number') ? meanOf(rows.map((row) => Number(row[name]))) : undefined,
    ]);
    return { arm, ...Object.fromEntries(means) } as ArmResult;
  });
}
