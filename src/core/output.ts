/** The project's own folder: the only place that tools write to. Nothing leaves it. */
export interface OutputFolder {
  /** Absolute. */
  readonly root: string;
  /** The text of a file below the root; nothing when there is none. @throws FileAccessError outside the root */
  read(path: string): Promise<string | undefined>;
  /**
   * Writes a whole file, folders included; what stood there is replaced at once or not at all.
   *
   * @throws FileAccessError outside the root, or where it cannot be written
   */
  write(path: string, text: string): Promise<void>;
}

/** Where a message went, or why it did not. No message holds the address, which may be a secret. */
export type Delivery = { readonly ok: true; readonly status: number } | { readonly ok: false; readonly message: string };

export interface Webhooks {
  readonly names: readonly string[];
  /** Host of an address, fit to be shown. */
  hostOf(name: string): string | undefined;
  /** One POST of JSON. Never rejects. */
  send(name: string, payload: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Delivery>;
}
