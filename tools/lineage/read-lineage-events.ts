import { eventValues } from '../../src/core/event-values.ts';
import { readFileText } from '../../src/core/read-file-text.ts';
import type { Artifact } from '../artifacts/find-artifacts.ts';
import { type Json, objectOf, objectsOf, textOf } from '../artifacts/read-artifact.ts';

const LARGEST = 512 * 1024 * 1024;

/** An event of a run, or one that only describes a job or a dataset. */
export interface LineageEvent {
  readonly file: string;
  readonly kind: 'run' | 'job' | 'dataset';
  readonly type: string;
  readonly time: string | null;
  readonly zoneGiven: boolean;
  readonly job: string | null;
  readonly runId: string | null;
  readonly value: Json;
}

export interface BadEvent {
  readonly file: string;
  /** Line, where the file holds one event a line; else the place in the list, from 1. */
  readonly place: number;
  readonly why: string;
}

export interface LineageEvents {
  readonly events: readonly LineageEvent[];
  readonly bad: readonly BadEvent[];
  readonly badCount: number;
}

const MOST_BAD = 20;

/** The events of files that hold one, a list of them, or one a line. Never rejects: what cannot be read is in `bad`. */
export async function readLineageEvents(artifacts: readonly Artifact[]): Promise<LineageEvents> {
  const events: LineageEvent[] = [];
  const bad: BadEvent[] = [];
  let badCount = 0;
  const refuse = (file: string, place: number, why: string): void => {
    badCount++;
    if (bad.length < MOST_BAD) bad.push({ file, place, why });
  };
  for (const artifact of artifacts) {
    const text = artifact.bytes > LARGEST ? undefined : await readFileText(artifact.absolutePath).catch(() => undefined);
    if (text === undefined) {
      refuse(artifact.path, 0, artifact.bytes > LARGEST ? 'larger than 512 MB' : 'cannot be read');
      continue;
    }
    for (const { value, place, why } of eventValues(text)) {
      const event = why === undefined ? readEvent(value, artifact.path) : why;
      if (typeof event === 'string') refuse(artifact.path, place, event);
      else events.push(event);
    }
  }
  return { events, bad, badCount };
}

function readEvent(value: unknown, file: string): LineageEvent | string {
  const event = objectOf(value);
  const [job, run] = [objectOf(event.job), objectOf(event.run)];
  const time = textOf(event.eventTime) ?? null;
  if (Object.keys(event).length === 0) return 'no JSON object';
  if (time === null) return 'no eventTime';
  const at = {
    file,
    time,
    zoneGiven: /(?:Z|[+-]\d\d:?\d\d)$/.test(time),
    job: jobName(job),
    value: event,
  };
  if (event.run === undefined) {
    if (event.dataset !== undefined) return { ...at, kind: 'dataset', type: 'DATASET', runId: null };
    return event.job === undefined ? 'neither run, job nor dataset' : { ...at, kind: 'job', type: 'JOB', runId: null };
  }
  const runId = textOf(run.runId) ?? null;
  if (runId === null) return 'no run id';
  if (at.job === null) return 'no job name';
  return { ...at, kind: 'run', type: (textOf(event.eventType) ?? 'OTHER').toUpperCase(), runId };
}

/** `namespace/name`, the name alone where there is no namespace; null without a name. */
function jobName(job: Json): string | null {
  const name = textOf(job.name);
  return name === undefined ? null : joinName(textOf(job.namespace), name);
}

function joinName(namespace: string | undefined, name: string): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** The datasets that an event reads or writes, `namespace/name`. */
export function datasetsOf(event: Json, side: 'inputs' | 'outputs'): readonly { readonly name: string; readonly value: Json }[] {
  return objectsOf(event[side]).flatMap((dataset) => {
    const name = textOf(dataset.name);
    return name === undefined ? [] : [{ name: joinName(textOf(dataset.namespace), name), value: dataset }];
  });
}
