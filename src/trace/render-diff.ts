import { clip } from './clip-text.ts';
import type { DiffLine, SessionDiff, SessionSide } from './diff-sessions.ts';
import { count } from './format-figures.ts';
import type { Paint } from './paint.ts';

const MOST_CHANGES = 3;

/** Two sessions side by side: what they were, where they part, and every call that differs. */
export function renderDiff(diff: SessionDiff, paint: Paint): string {
  const { left, right, first } = diff;
  const parts = [
    `${paint.bad(`- ${describe(left)}`)}\n${paint.good(`+ ${describe(right)}`)}`,
    ...(diff.sameQuestion ? [] : [`The questions differ.\n- ${clip(left.question, 200)}\n+ ${clip(right.question, 200)}`]),
    first ? `${paint.bold('They part at')} ${firstText(first)}` : 'All calls and results are the same.',
    ...diff.agents
      .filter(({ lines }) => lines.some(({ kind }) => kind !== 'same'))
      .map(({ agent, lines }) => `${paint.bold(agent)}\n${lines.map((line) => lineText(line, paint)).join('\n')}`),
    diff.sameAnswer ? 'The answers are the same.' : `The answers differ.\n- ${clip(left.answer, 400)}\n+ ${clip(right.answer, 400)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function describe({ session, agent, model, status, usage }: SessionSide): string {
  const cost = usage
    ? `, ${count(usage.modelCalls)} model calls, ${count(usage.toolCalls)} tool calls, ${count(usage.inputTokens)} tokens in`
    : '';
  return `${session} ${agent} on ${model}: ${status}${cost}`;
}

/** Where two sessions part, in one line. */
export function firstText(line: DiffLine): string {
  const call = `${line.tool} ${clip(JSON.stringify(line.arguments), 120)}`;
  if (line.kind === 'left') return `${line.left} of ${line.agent}: ${call}, which the other did not call`;
  if (line.kind === 'right') return `${line.right} of ${line.agent}: ${call}, which only the other called`;
  const [change] = line.changes;
  return `${line.left} of ${line.agent}: ${call} gave another result${change ? ` (${change.path}: ${shown(change.before)} → ${shown(change.after)})` : ''}`;
}

function lineText(line: DiffLine, paint: Paint): string {
  const call = `${line.tool} ${clip(JSON.stringify(line.arguments), 120)}`;
  if (line.kind === 'same') return paint.dim(`  ${line.left} ${call}`);
  if (line.kind === 'left') return paint.bad(`- ${line.left} ${call}`);
  if (line.kind === 'right') return paint.good(`+ ${line.right} ${call}`);
  const changes = line.changes.slice(0, MOST_CHANGES).map(({ path, before, after }) => `      ${path}: ${shown(before)} → ${shown(after)}`);
  return [paint.warn(`! ${line.left} ${call}`), ...changes].join('\n');
}

function shown(value: string | undefined): string {
  return value === undefined ? '(nothing)' : clip(value, 60);
}
