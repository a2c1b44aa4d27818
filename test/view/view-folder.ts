import { request } from 'node:http';
import { createViewData } from '../../src/app/view-data.ts';
import { DEFAULT_THRESHOLDS } from '../../src/core/audit-thresholds.ts';
import type { Event } from '../../src/core/event.ts';
import type { Message } from '../../src/core/message.ts';
import { scriptedModel } from '../../src/models/scripted.ts';
import type { StoredEventLog } from '../../src/store/open-event-log.ts';
import { type RunningViewer, startViewer } from '../../src/view/start-viewer.ts';
import { openLog } from '../store/log-folder.ts';
import { runTeam } from '../support/run-team.ts';

const viewers: RunningViewer[] = [];

export async function closeViewers(): Promise<void> {
  await Promise.all(viewers.splice(0).map((viewer) => viewer.close()));
}

/** The real viewer over a log, on a free port; {@link closeViewers} ends it. */
export async function serve(log: StoredEventLog): Promise<RunningViewer> {
  const data = createViewData(log, { thresholds: DEFAULT_THRESHOLDS, place: {} });
  const viewer = await startViewer(data, { port: 0 });
  viewers.push(viewer);
  return viewer;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents of every shape
  readonly json: any;
}

/** A request as any client may make it, with the path and the Host header as they are given. */
export function ask(viewer: RunningViewer, path: string, more: { method?: string; host?: string } = {}): Promise<Answered> {
  const { method = 'GET', host } = more;
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: viewer.port, path, method, ...(host === undefined ? {} : { headers: { host } }) });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined });
      });
    });
    sent.end();
  });
}

const tableOf = (messages: readonly Message[]): string => /"table":"(\w+)"/.exec(messages[0]!.content)?.[1] ?? 'none';
const resultIn = (messages: readonly Message[]): { id: string; data: { rows: number } } =>
  JSON.parse(messages.findLast(({ role }) => role === 'tool')!.content);

/**
 * The events of a session of `boss`, who counts table t1 itself (1001 rows), has t2 and t3 counted by children, and answers with one
 * figure of its own call, one of a child's, and one that nothing holds.
 */
export async function teamEvents(question = 'Count all tables.'): Promise<readonly Event[]> {
  const tasks = ['t2', 't3'].map((table) => ({ goal: `Count the rows of table ${table}.`, inputs: { table } }));
  const boss = scriptedModel([
    { calls: [{ tool: 'count_rows', input: { table: 't1' } }] },
    { calls: [{ tool: 'worker', input: { tasks, why: 'parallelism', because: 'the tables are independent' } }] },
    { text: 'Table t1 has 1001 rows [r1].\n\nTable t2 has 1002 rows [c1.r1] and table t9 has 4711 rows.' },
    { text: 'Table t1 has 1001 rows [r1].\n\nTable t2 has 1002 rows [c1.r1] and table t9 has 4711 rows.' },
  ]);
  const worker = scriptedModel((messages) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: `${tableOf(messages)} has ${resultIn(messages).data.rows} rows [${resultIn(messages).id}].` }
      : { calls: [{ tool: 'count_rows', input: { table: tableOf(messages) } }] },
  );
  const { events } = await runTeam({ boss, worker, question });
  return events;
}

/** A log that holds such a session, and its id. */
export async function teamLog(): Promise<{ readonly log: StoredEventLog; readonly session: string; readonly events: readonly Event[] }> {
  const [log, events] = await Promise.all([openLog(), teamEvents()]);
  log.append(events);
  return { log, session: events[0]!.session, events };
}
