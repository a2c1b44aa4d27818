import type { Scope } from './scope.ts';

/** A change that a scheduler can be asked for. */
export type RunChange =
  | {
      readonly kind: 'trigger';
      readonly pipeline: string;
      /** ISO 8601; none for a run that stands for no date. */
      readonly logicalDate?: string;
      readonly conf?: Readonly<Record<string, unknown>>;
      readonly note?: string;
    }
  | {
      readonly kind: 'clear';
      readonly pipeline: string;
      readonly runId: string;
      readonly taskIds?: readonly string[];
      readonly onlyFailed: boolean;
      readonly downstream: boolean;
    }
  | { readonly kind: 'pause'; readonly pipeline: string; readonly paused: boolean }
  | { readonly kind: 'cancel'; readonly pipeline: string; readonly runId: string };

/** What a change would do, or did: lines for a person, each a thing that changes. */
export type ChangeReport =
  | { readonly ok: true; readonly changes: readonly string[]; readonly total: number; readonly runId?: string }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Changes at a running scheduler. Neither call rejects. */
export interface RunControl {
  /** What the change would do, from what stands there now; changes nothing. */
  plan(change: RunChange, scope: Scope): Promise<ChangeReport>;
  apply(change: RunChange, scope: Scope): Promise<ChangeReport>;
}
