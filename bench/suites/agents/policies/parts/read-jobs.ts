import type { Play } from 'soloist';
import { dataOf } from './read-result.ts';

/** What the table says of a job, with the id of the result. */
export interface JobRow {
  readonly upstream: string;
  readonly message: string;
  readonly result: string;
}

export async function readJob(play: Play, job: string): Promise<JobRow> {
  const sql = `SELECT upstream, message FROM jobs WHERE job = '${job.replaceAll("'", "''")}' AND status = 'failed'`;
  const result = await play.call('query_sql', { sql });
  const [row] = (dataOf(result).rows ?? []) as readonly (readonly unknown[])[];
  return { upstream: String(row?.[0] ?? ''), message: String(row?.[1] ?? ''), result: result.id };
}

/** Link after link, each found with what the one before gave, to the job that failed by itself. */
export async function followChain(play: Play, asked: string): Promise<string> {
  const links = [asked];
  for (let job = asked; ; ) {
    const { upstream, message, result } = await readJob(play, job);
    if (upstream === '' || upstream === 'null' || links.length > 50) return causeOf(job, message, result);
    links.push(upstream);
    job = upstream;
  }
}

export function causeOf(job: string, message: string, result: string): string {
  return `The cause is \`${job}\`, which failed by itself: ${message} [${result}]`;
}

/** The job that a goal asks about. */
export function askedJob(goal: string): string {
  return /`([^`]+)`/.exec(goal)?.[1] ?? '';
}
