import type { Conclusion } from '../core/conclusion.ts';
import type { Event, EventBody } from '../core/event.ts';
import { clip } from '../trace/clip-text.ts';
import { type Change, compareResults } from '../trace/compare-results.ts';
import { againCommand } from '../trace/explain-figure.ts';
import { type Paint, PLAIN } from '../trace/paint.ts';

/** What `soloist trace replay --json` prints; a public shape. */
export interface ReplayReport {
  readonly session: string;
  readonly tools: 'live' | 'recorded';
  /** Whether every result and the answer are the same. */
  readonly same: boolean;
  readonly answer: { readonly same: boolean; readonly before: string; readonly after: string };
  readonly status: { readonly before: string; readonly after: string };
  readonly results: { readonly total: number; readonly same: number; readonly different: number; readonly notReached: number };
  readonly differences: readonly ResultDifference[];
  /** Calls that the replay did not come to. */
  readonly notReached: readonly string[];
}

export interface ResultDifference {
  readonly result: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly changes: readonly Change[];
  /** The command that makes the call by hand; absent for a subagent. */
  readonly again?: string;
}

export interface Replayed {
  readonly session: string;
  readonly tools: 'live' | 'recorded';
  readonly before: readonly Event[];
  readonly after: readonly Event[];
}

export function compareReplay({ session, tools, before: then, after: now }: Replayed): ReplayReport {
  const before = finishedIn(then);
  const after = finishedIn(now);
  const inputs = new Map(then.flatMap(({ body }) => (body.type === 'tool.called' ? [[body.resultId, body.arguments] as const] : [])));
  const delegating = new Set(then.flatMap(({ body }) => (body.type === 'delegation.started' ? [body.resultId] : [])));
  const notReached: string[] = [];
  const differences: ResultDifference[] = [];
  for (const [result, { tool, content }] of before) {
    const current = after.get(result);
    if (!current) {
      notReached.push(result);
      continue;
    }
    const changes =
      current.tool === tool ? compareResults(content, current.content) : [{ path: 'tool', before: tool, after: current.tool }];
    const input = inputs.get(result) ?? {};
    const again = delegating.has(result) ? {} : { again: againCommand(tool, input) };
    if (changes.length > 0) differences.push({ result, tool, arguments: input, changes, ...again });
  }
  const concluded = { before: conclusionOf(then), after: conclusionOf(now) };
  const answer = { before: withConclusions(concluded.before?.text ?? '', then), after: withConclusions(concluded.after?.text ?? '', now) };
  const isSame = answer.before === answer.after;
  const [different, total] = [differences.length, before.size];
  return {
    ...{ session, tools, same: isSame && different === 0 && notReached.length === 0 },
    answer: { same: isSame, ...answer },
    status: { before: concluded.before?.status ?? 'open', after: concluded.after?.status ?? 'open' },
    results: { total, same: total - different - notReached.length, different, notReached: notReached.length },
    ...{ differences, notReached },
  };
}

function conclusionOf(events: readonly Event[]): Conclusion | undefined {
  const last = events.findLast(({ agent, body }) => agent === 'main' && body.type === 'agent.concluded')?.body;
  return last?.type === 'agent.concluded' ? last.conclusion : undefined;
}

function finishedIn(events: readonly Event[]): Map<string, Extract<EventBody, { type: 'tool.finished' }>> {
  return new Map(events.flatMap(({ body }) => (body.type === 'tool.finished' ? [[body.resultId, body] as const] : [])));
}

/** As the report of a run shows an answer: `[[c3]]` is the text of that conclusion. */
function withConclusions(text: string, events: readonly Event[]): string {
  const texts = new Map(
    events.flatMap(({ body }) => (body.type === 'child.concluded' ? [[body.conclusion.id, body.conclusion.text] as const] : [])),
  );
  return text.replace(/\[\[(c\d+)\]\]/g, (mark, id: string) => texts.get(id) ?? mark);
}

export function renderReplay(report: ReplayReport, paint: Paint = PLAIN): string {
  const { results, answer, status } = report;
  const head = `Session ${report.session} replayed with ${report.tools} tools: ${report.same ? paint.good('the same') : paint.bad('not the same')}. ${results.same} of ${results.total} results are the same, ${results.different} differ, ${results.notReached} were not reached.`;
  const parts = report.differences.map((one) => renderDifference(one, paint));
  if (report.notReached.length > 0) parts.push(`Not reached: ${report.notReached.join(', ')}`);
  if (!answer.same)
    parts.push(`Answer then (${status.before}):\n${clip(answer.before, 600)}\n\nAnswer now (${status.after}):\n${clip(answer.after, 600)}`);
  return `${[head, ...parts].join('\n\n')}\n`;
}

const MOST_SHOWN = 5;

function renderDifference({ result, tool, arguments: input, changes, again }: ResultDifference, paint: Paint): string {
  const lines = changes.slice(0, MOST_SHOWN).map(({ path, before, after }) => `  ${path}: ${shown(before)} → ${shown(after)}`);
  const more = changes.length > MOST_SHOWN ? [`  … and ${changes.length - MOST_SHOWN} more`] : [];
  return [`${paint.bold(`${result} ${tool}`)} ${clip(JSON.stringify(input), 120)}`, ...lines, ...more, paint.dim(`  again: ${again}`)].join(
    '\n',
  );
}

function shown(value: string | undefined): string {
  return value === undefined ? '(nothing)' : clip(value, 80);
}
