/** What a verb may touch of the process it runs in. */
export interface CliServices {
  /** Writes to stdout: results only. */
  readonly out: (text: string) => void;
  /** Writes a line to stderr: progress and remarks. */
  readonly note: (text: string) => void;
  /** Whether stderr, and stdout, are terminals that take colours; `NO_COLOR` says no. */
  readonly color: { readonly out: boolean; readonly note: boolean };
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}
