/** Why a scope was stopped. */
export type StopReason =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'timeout'; readonly seconds: number }
  | { readonly kind: 'cancelled'; readonly because: string };

interface Stoppable {
  stop(reason: StopReason): void;
}

/**
 * Cancellation as a plain tree: stopping a scope stops all below it. An `AbortSignal` is made only for the one who
 * asks for it, since controllers and listeners cost more than the rest of a step's bookkeeping, and hundreds of
 * children on one signal would make Node warn.
 */
export class Scope implements Stoppable {
  private reasonGiven: StopReason | undefined;
  private hooks: Set<Stoppable> | undefined;
  private controller: AbortController | undefined;
  private readonly parent: Scope | undefined;

  constructor(parent?: Scope) {
    this.parent = parent;
    if (parent?.reason) this.reasonGiven = parent.reason;
    else parent?.add(this);
  }

  /** Set once the scope is stopped. */
  get reason(): StopReason | undefined {
    return this.reasonGiven;
  }

  get stopped(): boolean {
    return this.reasonGiven !== undefined;
  }

  /** Calls `hook.stop(reason)` when the scope stops, at once if it already has. Remove the hook when done. */
  add(hook: Stoppable): void {
    if (this.reasonGiven) hook.stop(this.reasonGiven);
    else {
      this.hooks ??= new Set();
      this.hooks.add(hook);
    }
  }

  remove(hook: Stoppable): void {
    this.hooks?.delete(hook);
  }

  stop(reason: StopReason): void {
    if (this.reasonGiven) return;
    this.reasonGiven = reason;
    this.controller?.abort(reason);
    const hooks = this.hooks;
    this.hooks = undefined;
    if (hooks) for (const hook of hooks) hook.stop(reason);
  }

  /** Leaves the parent; call it when the work of this scope is over. */
  close(): void {
    this.parent?.remove(this);
  }

  /** A signal for code that wants one; made at first use. */
  get signal(): AbortSignal {
    if (!this.controller) {
      this.controller = new AbortController();
      if (this.reasonGiven) this.controller.abort(this.reasonGiven);
    }
    return this.controller.signal;
  }
}
