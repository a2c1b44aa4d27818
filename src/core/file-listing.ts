import type { ToolWarning } from './tool-result.ts';

export interface FileEntry {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly modified: Date;
}

export interface FileListing {
  readonly entries: readonly FileEntry[];
  readonly warnings: readonly ToolWarning[];
  /** False when files may be missing from the entries; links that only lead back to what is listed leave nothing out. */
  readonly complete: boolean;
}
