import { groupBy } from '../../src/core/group-by.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { Artifact } from '../artifacts/find-artifacts.ts';
import { addLine } from './gather-events.ts';
import { type EventLines, readEventLines } from './read-event-lines.ts';
import { newApplication, type SparkApplication } from './spark-application.ts';

const HEAD_LINES = 60;

/** The files of one application's log: one, or the parts of a rolling one in order. */
export interface LogGroup {
  readonly name: string;
  readonly parts: readonly Artifact[];
}

export interface ReadLog {
  readonly source: string;
  readonly path: string;
  readonly files: number;
  readonly app: SparkApplication;
  readonly problems: readonly string[];
  readonly longLines: number;
  readonly cutLastLine: boolean;
  readonly missingParts: readonly number[];
  /** False where reading was stopped. */
  readonly finished: boolean;
}

/** Files by application: the parts `events_N_…` of one folder belong together. */
export function groupLogs(artifacts: readonly Artifact[]): readonly LogGroup[] {
  const groups = groupBy(artifacts, (one) => {
    const slash = one.path.lastIndexOf('/');
    const name =
      partNumber(one.path) === undefined
        ? one.path
        : `${one.path.slice(0, slash + 1)}${one.path
            .slice(slash + 1)
            .replace(/^events_\d+_/, '')
            .replace(/\.\w+$/, '')}`;
    return JSON.stringify([one.source, name]);
  });
  return [...groups].map(([key, parts]) => ({
    name: (JSON.parse(key) as string[])[1] ?? '',
    parts: parts.sort((left, right) => (partNumber(left.path) ?? 0) - (partNumber(right.path) ?? 0)),
  }));
}

function partNumber(path: string): number | undefined {
  const found = /(?:^|\/)events_(\d+)_[^/]*$/.exec(path)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The log of the application that is meant, else of the one that started last; with the names of the others. */
export async function chooseLog(
  groups: readonly LogGroup[],
  wanted: string | undefined,
): Promise<{ readonly chosen: LogGroup | undefined; readonly others: readonly string[] }> {
  const heads = await Promise.all(groups.map(async (group) => ({ group, app: await readHead(group) })));
  const nameOf = ({ group, app }: (typeof heads)[number]): string =>
    app.id === null ? group.name : `${app.id} (${app.name ?? group.name})`;
  const fitting = heads.filter(
    ({ group, app }) => wanted === undefined || [app.id, app.name, group.name].includes(wanted) || group.name.includes(wanted),
  );
  const [chosen] = fitting.sort((left, right) => startOf(right) - startOf(left));
  return { chosen: chosen?.group, others: heads.filter((one) => one !== chosen).map(nameOf) };
}

function startOf({ app, group }: { readonly app: SparkApplication; readonly group: LogGroup }): number {
  return app.started ?? group.parts[0]?.modified.getTime() ?? 0;
}

async function readHead({ parts }: LogGroup): Promise<SparkApplication> {
  const app = newApplication();
  const [first] = parts;
  if (!first) return app;
  const state: EventLines = { problem: null, longLines: 0, unended: false };
  let seen = 0;
  for await (const lines of readEventLines(first.absolutePath, state, HEAD_LINES)) {
    for (const line of lines.slice(0, HEAD_LINES - seen)) addLine(app, line);
    seen += lines.length;
    if (app.started !== null || seen >= HEAD_LINES) break;
  }
  return app;
}

/** All events of one application. Never rejects: what could not be read is in `problems`. */
export async function readLog(group: LogGroup, scope: Scope): Promise<ReadLog> {
  const app = newApplication();
  const problems: string[] = [];
  let [longLines, cutLastLine, finished] = [0, false, true];
  for (const part of group.parts) {
    const state: EventLines = { problem: null, longLines: 0, unended: false };
    let badBefore = app.badLines;
    for await (const lines of readEventLines(part.absolutePath, state)) {
      for (const line of lines) {
        badBefore = app.badLines;
        addLine(app, line);
      }
      if (scope.stopped) {
        finished = false;
        break;
      }
    }
    if (state.problem !== null) problems.push(`${part.path}: ${state.problem}`);
    longLines += state.longLines;
    cutLastLine = app.badLines > badBefore;
    if (!finished) break;
  }
  const numbers = group.parts.flatMap(({ path }) => partNumber(path) ?? []);
  const missing = Array.from({ length: Math.max(0, ...numbers) }, (_, index) => index + 1).filter((number) => !numbers.includes(number));
  const [first] = group.parts;
  return {
    source: first?.source ?? '',
    path: group.name,
    files: group.parts.length,
    app,
    problems,
    longLines,
    cutLastLine,
    missingParts: missing.slice(0, 20),
    finished,
  };
}
