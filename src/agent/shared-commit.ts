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

/**
 * The commits of all agents on one log. Children whose replies arrive in one turn of the event loop share a transaction:
 * with twenty of them, a commit for each would cost more than the rest of the loop. A batch that could not be written
 * stays, and the next commit tries it again.
 */
export class SharedCommit {
  private batches: Batch[] = [];
  private waiters: Waiter[] = [];
  private scheduled: NodeJS.Immediate | undefined;
  private readonly log: EventLog;

  constructor(log: EventLog) {
    this.log = log;
  }

  /** Takes the batch into the commit at the end of this turn of the event loop. */
  addSoon(batch: Batch): void {
    this.batches.push(batch);
    this.schedule();
  }

  /** Writes at once the batch and all that wait. @throws whatever the log throws. */
  add(batch: Batch): void {
    this.batches.push(batch);
    this.commit();
  }

  /** Resolves once all batches so far are on disk, and rejects with the log's own error; nothing when they already are. */
  settled(): Promise<void> | undefined {
    if (this.batches.length === 0) return undefined;
    this.schedule();
    return new Promise((resolve, reject) => this.waiters.push({ resolve, reject }));
  }

  private schedule(): void {
    this.scheduled ??= setImmediate(() => {
      try {
        this.commit();
      } catch {
        // Those who wait were told; where nobody waits, the next commit throws it.
      }
    });
  }

  private commit(): void {
    if (this.scheduled) clearImmediate(this.scheduled);
    this.scheduled = undefined;
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
