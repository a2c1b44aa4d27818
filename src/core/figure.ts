/** Where a figure of an answer stands: a tool result and the path inside it. */
export interface FigureSource {
  readonly result: string;
  /** Path inside the result, e.g. `data.baseline.median_duration_s`; `arguments.day` for a value that the call was made with. */
  readonly path: string;
  /** Set where only the whole result in the log holds it, not the part that the window showed. */
  readonly seen?: 'whole';
  /** Id of the conclusion that brought a child's result up. */
  readonly through?: string;
}

/**
 * `stated`: a tool result holds it, as it is or after a change of unit, format or rounding. `derived`: one step of
 * arithmetic leads to it. `given`: the question holds it. `unsupported`: none of these.
 */
export type FigureStatus = 'stated' | 'derived' | 'given' | 'unsupported';

/** One figure of an answer, as it is written there. */
export interface Figure {
  readonly text: string;
  readonly status: FigureStatus;
  readonly sources: readonly FigureSource[];
  /** How it was derived or converted, e.g. `6494.8 / 2290.2`. */
  readonly formula?: string;
  /** Why it counts as unsupported though the number stands in a result. */
  readonly reason?: string;
}

/** A statement that something is not there; it needs a result that holds all there is. */
export interface AbsenceClaim {
  readonly text: string;
  readonly supported: boolean;
  /** Ids of the results looked at for it. */
  readonly results: readonly string[];
  readonly reason?: string;
}

/** What the check of one answer against the tool results of its session found. */
export interface Grounding {
  readonly figures: readonly Figure[];
  readonly absences: readonly AbsenceClaim[];
}
