/** Which part of a result is asked for: what the model was shown, all of it, or what the call was made with. */
export type ResultPart = 'shown' | 'whole' | 'arguments';

export interface SessionsQuery {
  /** The last session of the page before. */
  readonly after: string | undefined;
  /** Words that all must stand in a session's line. */
  readonly filter: string;
  readonly limit: number;
}

/**
 * What the viewer shows, each as a document that becomes JSON; docs/view.md describes them. A reference of a session is its id, the
 * beginning of one, or `-1` for the latest.
 *
 * @throws SoloistError `not_found` or `usage` for a session, a result or a figure that there is not; `store_unusable` for the log.
 */
export interface ViewData {
  sessions(query: SessionsQuery): object;
  session(reference: string): Promise<object>;
  events(reference: string, page: { readonly after: number; readonly limit: number }): object;
  result(reference: string, id: string, page: { readonly part: ResultPart; readonly offset: number }): Promise<object>;
  /** Where a figure of an answer comes from. */
  figure(reference: string, figure: string): Promise<object>;
}
