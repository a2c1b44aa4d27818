import type { Conclusion } from '../core/conclusion.ts';
import type { Event, EventBody, RecordedSource } from '../core/event.ts';
import { againCommand, type CommandPlace, placeOptions } from '../trace/again-command.ts';
import { clip } from '../trace/clip-text.ts';
import { type Change, compareResults } from '../trace/compare-results.ts';
import { type Paint, PLAIN } from '../trace/paint.ts';
import { flagOf, sourcesOf } from './recorded-sources.ts';

/** What `soloist trace replay --json` prints; a public shape. */
export interface ReplayReport {
  readonly session: string;
  readonly tools: 'live' | 'recorded';
  /** Whether every result and the answer were compared and are the same. */
  readonly same: boolean;
  readonly answer: { readonly same: boolean; readonly before: string; readonly after: string };
  readonly status: { readonly before: string; readonly after: string };
  readonly results: ReplayCounts;
  readonly differences: readonly ResultDifference[];
  /** Calls that the replay did not come to. */
  readonly notReached: readonly string[];
  /** Calls that were answered as they were then, though their tools only read, and why. */
  readonly notCompared: readonly { readonly result: string; readonly tool: string; readonly why: string }[];
  /** Sources of the recorded run that are not there now. */
  readonly missingSources: readonly { readonly name: string; readonly kind: string }[];
  /** The command that replays with them, where some are missing; `PATH` and `URL` stand for what the log does not hold. */
  readonly again?: string;
}

interface ReplayCounts {
  readonly total: number;
  readonly same: number;
  readonly different: number;
  readonly notReached: number;
  readonly notCompared: number;
}

export interface ResultDifference {
  readonly result: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly changes: readonly Change[];
  /** The command that makes the call by hand; absent for a subagent, and where an argument held a secret. */
  readonly again?: string;
}

export interface Replayed {
  readonly session: string;
  readonly tools: 'live' | 'recorded';
  readonly before: readonly Event[];
  readonly after: readonly Event[];
  readonly missing: readonly RecordedSource[];
  /** Why a call was answered as it was then, by the id of its result. */
  readonly notCompared: ReadonlyMap<string, string>;
  readonly place: CommandPlace;
}

export function compareReplay(replayed: Replayed): ReplayReport {
  const { session, tools, before: then, after: now, missing } = replayed;
  const { differences, notReached, notCompared, total } = compareAll(replayed);
  const concluded = { before: conclusionOf(then), after: conclusionOf(now) };
  const answer = { before: withConclusions(concluded.before?.text ?? '', then), after: withConclusions(concluded.after?.text ?? '', now) };
  const isSame = answer.before === answer.after;
  const counts = { different: differences.length, notReached: notReached.length, notCompared: notCompared.length };
  const same = total - counts.different - counts.notReached - counts.notCompared;
  return {
    ...{ session, tools, same: isSame && same === total },
    answer: { same: isSame, ...answer },
    status: { before: concluded.before?.status ?? 'open', after: concluded.after?.status ?? 'open' },
    results: { total, same, ...counts },
    ...{ differences, notReached, notCompared },
    missingSources: missing.map(({ name, kind }) => ({ name, kind })),
    ...(missing.length === 0 ? {} : { again: replayCommand(replayed) }),
  };
}

function compareAll({ before: then, after: now, notCompared: reasons, place }: Replayed) {
  const [before, after] = [finishedIn(then), finishedIn(now)];
  const inputs = new Map(then.flatMap(({ body }) => (body.type === 'tool.called' ? [[body.resultId, body.arguments] as const] : [])));
  const delegating = new Set(then.flatMap(({ body }) => (body.type === 'delegation.started' ? [body.resultId] : [])));
  const options = placeOptions(place, sourcesOf(then));
  const notReached: string[] = [];
  const notCompared: { result: string; tool: string; why: string }[] = [];
  const differences: ResultDifference[] = [];
  for (const [result, { tool, content }] of before) {
    const current = after.get(result);
    const why = reasons.get(result);
    if (!current) notReached.push(result);
    else if (why !== undefined && current.tool === tool) notCompared.push({ result, tool, why });
    else {
      const changes =
        current.tool === tool ? compareResults(content, current.content) : [{ path: 'tool', before: tool, after: current.tool }];
      const input = inputs.get(result) ?? {};
      const again = delegating.has(result) ? undefined : againCommand(tool, input, options);
      if (changes.length > 0) differences.push({ result, tool, arguments: input, changes, ...(again === undefined ? {} : { again }) });
    }
  }
  return { differences, notReached, notCompared, total: before.size };
}

/** With the sources that were given now, and those that were not. */
function replayCommand({ session, missing, place }: Replayed): string {
  const flags = missing.map(flagOf);
  return `soloist trace replay ${session}${placeOptions({ ...place, sources: [...(place.sources ?? []), ...flags] })}`;
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
  const isSameSoFar = answer.same && results.different + results.notReached === 0;
  const verdict = report.same ? paint.good('the same') : paint.bad(isSameSoFar ? 'not compared in full' : 'not the same');
  const gap = results.notCompared > 0 ? `, ${results.notCompared} could not be compared` : '';
  const parts = [
    `Session ${report.session} replayed with ${report.tools} tools: ${verdict}. ${results.same} of ${results.total} results are the same, ${results.different} differ, ${results.notReached} were not reached${gap}.`,
    ...missingText(report),
    ...report.differences.map((one) => renderDifference(one, paint)),
  ];
  if (report.notCompared.length > 0)
    parts.push(['Not compared:', ...report.notCompared.map(({ result, tool, why }) => `  ${result} ${tool}: ${why}`)].join('\n'));
  if (report.notReached.length > 0) parts.push(`Not reached: ${report.notReached.join(', ')}`);
  if (!answer.same)
    parts.push(`Answer then (${status.before}):\n${clip(answer.before, 600)}\n\nAnswer now (${status.after}):\n${clip(answer.after, 600)}`);
  return `${parts.join('\n\n')}\n`;
}

function missingText({ missingSources, again }: ReplayReport): string[] {
  if (missingSources.length === 0) return [];
  const names = missingSources.map(({ name, kind }) => `${name} (${kind})`).join(', ');
  return [`Sources of the recorded run that are not there now: ${names}. To compare what they held too:\n  ${again}`];
}

const MOST_SHOWN = 5;

function renderDifference({ result, tool, arguments: input, changes, again }: ResultDifference, paint: Paint): string {
  const lines = changes.slice(0, MOST_SHOWN).map(({ path, before, after }) => `  ${path}: ${shown(before)} → ${shown(after)}`);
  const more = changes.length > MOST_SHOWN ? [`  … and ${changes.length - MOST_SHOWN} more`] : [];
  const command = again === undefined ? [] : [paint.dim(`  again: ${again}`)];
  return [`${paint.bold(`${result} ${tool}`)} ${clip(JSON.stringify(input), 120)}`, ...lines, ...more, ...command].join('\n');
}

function shown(value: string | undefined): string {
  return value === undefined ? '(nothing)' : clip(value, 80);
}
