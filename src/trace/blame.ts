/** Something in a run that may be why it went wrong. */
export interface Blame {
  readonly kind: BlameKind;
  /** `wrong`: enough by itself to spoil the answer; `suspicious`: may have; `note`: worth knowing. */
  readonly weight: 'wrong' | 'suspicious' | 'note';
  /** The agent's id: `main`, or a child's. */
  readonly agent: string;
  readonly step: number;
  /** Results that it is about. */
  readonly results: readonly string[];
  readonly text: string;
}

export type BlameKind =
  | 'repeated_call'
  | 'ignored_error'
  | 'unsupported_figure'
  | 'unsupported_absence'
  | 'empty_turn'
  | 'cut_reply'
  | 'cut_result'
  | 'fitted_window'
  | 'model_failed'
  | 'limit_reached'
  | 'loop'
  | 'interrupted'
  | 'child_failed'
  | 'no_tool_called'
  | 'bad_end'
  | 'not_closed'
  | 'resumed';

/** With its place in the log, for the order in which things happened. */
export interface PlacedBlame extends Blame {
  readonly position: number;
}
