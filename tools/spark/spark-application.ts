/** One end of one task, in milliseconds and bytes. */
export interface SparkTask {
  readonly run: number;
  readonly total: number;
  readonly input: number;
  readonly shuffleRead: number;
  readonly shuffleWrite: number;
  readonly records: number;
  readonly spillMemory: number;
  readonly spillDisk: number;
  readonly gc: number;
  readonly executor: string;
  readonly index: number;
}

export interface SparkStage {
  readonly id: number;
  readonly attempt: number;
  name: string;
  /** Tasks that the stage has; those that ended are in `tasks`. */
  planned: number;
  submitted: number | null;
  completed: number | null;
  failure: string | null;
  readonly tasks: SparkTask[];
  failedTasks: number;
  /** How often each task of the stage failed, by its index, and what it had read at most. */
  readonly failedIndexes: Map<number, { times: number; read: number }>;
  killedTasks: number;
}

/** What the events of one application tell. Times are milliseconds since 1970. */
export interface SparkApplication {
  id: string | null;
  name: string | null;
  sparkVersion: string | null;
  started: number | null;
  ended: number | null;
  first: number | null;
  last: number | null;
  events: number;
  badLines: number;
  jobs: number;
  failedJobs: number;
  readonly stages: Map<string, SparkStage>;
  /** Why tasks failed, with counts and the first words. */
  readonly failures: Map<string, { count: number; example: string; first: number | null }>;
  readonly executorsLost: { readonly executor: string; readonly at: number | null; readonly reason: string }[];
  executorsAdded: number;
  /** The joins of each SQL execution by kind, as its last plan has them. */
  readonly joins: Map<string, Readonly<Record<string, number>>>;
  /** Settings that decide how work is cut up. */
  readonly settings: Map<string, string>;
}

export function newApplication(): SparkApplication {
  return {
    id: null,
    name: null,
    sparkVersion: null,
    started: null,
    ended: null,
    first: null,
    last: null,
    events: 0,
    badLines: 0,
    jobs: 0,
    failedJobs: 0,
    stages: new Map(),
    failures: new Map(),
    executorsLost: [],
    executorsAdded: 0,
    joins: new Map(),
    settings: new Map(),
  };
}
