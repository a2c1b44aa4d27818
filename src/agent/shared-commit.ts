import type { Event, EventLog } from '../core/event.ts';

/** Events of one agent, with those who are told of them once they are on disk. */
interface Batch {
  readonly events: readonly Event[];
  readonly listeners: readonly ((event: Event) => void)[];
}

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** How long a batch may wait for others while its agent waits for its model: a fraction of any reply. */
const SHARED_FOR_MS = 10;

/**
 * The commits of all agents on one log. A child that asks its model next does not wait for its commit but for the reply, and
 * meanwhile its events share a transaction with those of others: with twenty children, a commit for each turn of each would
 * cost more than the rest of the loop. Who needs a batch on disk waits for it with `settled`, and it is written at the end
 * of that turn of the event loop. A batch that could not be written stays, and the next commit tries it again.
 */
export class SharedCommit {
  private batches: Batch[] = [];
  private waiters: Waiter[] = [];
  private taken = 0;
  private written = 0;
  private later: NodeJS.Timeout | undefined;
  private soon: NodeJS.Immediate | undefined;
  private readonly log: EventLog;

  constructor(log: EventLog) {
    this.log = log;
  }

  /** Takes the batch into the next commit, at most ten milliseconds from now unless somebody needs it before. Answers its number, for `settled`. */
  addSoon(batch: Batch): number {
    this.batches.push(batch);
    this.later ??= setTimeout(() => this.tryCommit(), SHARED_FOR_MS);
    return ++this.taken;
  }

  /** Writes at once the batch and all that wait. @throws whatever the log throws. */
  add(batch: Batch): void {
    this.batches.push(batch);
    this.taken++;
    this.commit();
  }

  /** Resolves once the batch of the number is on disk, and rejects with the log's own error; nothing when it already is. */
  settled(number: number): Promise<void> | undefined {
    if (number <= this.written) return undefined;
    this.soon ??= setImmediate(() => this.tryCommit());
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }));
  }

  private tryCommit(): void {
    try {
      this.commit();
    } catch {
      // Those who wait were told; where nobody waits, the next commit throws it.
    }
  }

  private commit(): void {
    clearTimeout(this.later);
    clearImmediate(this.soon);
    this.later = undefined;
    this.soon = undefined;
    const { batches, waiters } = this;
    if (batches.length === 0) return;
    this.waiters = [];
    const [only] = batches;
    try {
      this.log.append(batches.length === 1 && only ? only.events : batches.flatMap(({ events }) => events));
    } catch (error) {
      for (const { reject } of waiters) reject(error);
      throw error;
    }
    this.batches = [];
    this.written = this.taken;
    for (const { events, listeners } of batches) for (const listener of listeners) for (const event of events) listener(event);
    for (const { resolve } of waiters) resolve();
  }
}

/** The one place where the agents of a log meet; a log has the same one for all of them. */
export function sharedCommitOf(log: EventLog): SharedCommit {
  const known = commits.get(log) ?? new SharedCommit(log);
  commits.set(log, known);
  return known;
}

const commits = new WeakMap<EventLog, SharedCommit>();
