import type { Scope } from './scope.ts';

/**
 * At most `limit` holders at once, first in first out. Waiting is cancellable: a stopped scope leaves the queue and
 * `enter` answers false. A gate is held for a model call only, never while waiting for a tool or a child.
 */
export class Gate {
  private held = 0;
  private readonly queue: Array<(entered: boolean) => void> = [];
  readonly limit: number;

  constructor(limit: number) {
    if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`a gate's limit is a whole number from 1, not ${limit}`);
    this.limit = limit;
  }

  get waiting(): number {
    return this.queue.length;
  }

  /** Answers true at once if a place is free; else a promise of true (a place came) or false (the scope stopped). */
  enter(scope: Scope): true | Promise<boolean> {
    if (this.held < this.limit && this.queue.length === 0) {
      this.held++;
      return true;
    }
    return new Promise((resolve) => {
      const hook = { stop: () => this.abandon(settle) };
      const settle = (entered: boolean): void => {
        scope.remove(hook);
        resolve(entered);
      };
      this.queue.push(settle);
      scope.add(hook);
    });
  }

  leave(): void {
    const next = this.queue.shift();
    if (next) next(true);
    else this.held--;
  }

  private abandon(settle: (entered: boolean) => void): void {
    const place = this.queue.indexOf(settle);
    if (place < 0) return;
    this.queue.splice(place, 1);
    settle(false);
  }
}
