import { writeFileSync } from 'node:fs';
import { SoloistError } from '../core/errors.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import { sessionSpans } from '../trace/session-spans.ts';
import { postSpans } from './post-spans.ts';
import { VERSION } from './version.ts';

export interface ExportRequest {
  readonly format: 'jsonl' | 'otlp';
  /** A file; else stdout, or for `otlp` the endpoint of the environment where there is one. */
  readonly out: string | undefined;
  /** Whether spans carry arguments, results and texts. */
  readonly content: boolean;
  readonly environment: NodeJS.ProcessEnv;
  readonly write: (text: string) => void;
}

/** Where it went, in one line; nothing when it went to stdout. */
export type ExportRemark = string | undefined;

/**
 * Exports a session: its events as JSON lines, or as spans of OpenTelemetry.
 *
 * @throws SoloistError `refused` when the file cannot be written or the endpoint does not take it
 */
export async function exportTrace(log: StoredEventLog, reference: string, request: ExportRequest): Promise<ExportRemark> {
  const { session } = log.findSession(reference);
  if (request.format === 'jsonl') {
    if (request.out === undefined) for (const event of log.read(session)) request.write(`${JSON.stringify(event)}\n`);
    else writeOut(request.out, [...log.read(session)].map((event) => `${JSON.stringify(event)}\n`).join(''));
    return request.out === undefined ? undefined : `wrote session ${session} to ${request.out}`;
  }
  const traces = sessionSpans(log.read(session), { session, version: VERSION, content: request.content });
  const text = JSON.stringify(traces);
  const spans = traces.resourceSpans[0]?.scopeSpans[0]?.spans.length ?? 0;
  if (request.out !== undefined) {
    writeOut(request.out, `${text}\n`);
    return `wrote ${spans} spans of session ${session} to ${request.out}`;
  }
  const remark = await postSpans(text, request.environment);
  if (remark === undefined) request.write(`${text}\n`);
  return remark && `sent ${spans} spans of session ${session} to ${remark}`;
}

function writeOut(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SoloistError('refused', `${file} cannot be written (${code})`, { fix: 'give another file with --out' });
  }
}
