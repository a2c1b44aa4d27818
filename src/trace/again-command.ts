import type { RecordedSource } from '../core/event.ts';

/** What stands on a command line beside the call itself, so that it meets the same project and sources. */
export interface CommandPlace {
  /** The project's folder, where it is another than the one the command is to run in. */
  readonly project?: string | undefined;
  /** `--source` of the command that asks; those that the session was run with count only where there are none. */
  readonly sources?: readonly string[] | undefined;
}

/** The options of a command for a POSIX shell, each with a blank before it; empty where none are needed. */
export function placeOptions({ project, sources = [] }: CommandPlace, recorded: readonly RecordedSource[] = []): string {
  const flags = sources.length > 0 ? sources : recorded.flatMap(({ flag }) => flag ?? []);
  return [...(project === undefined ? [] : [`--project ${shellWord(project)}`]), ...flags.map((flag) => `--source ${shellWord(flag)}`)]
    .map((option) => ` ${option}`)
    .join('');
}

/**
 * The command for a POSIX shell that makes the same call by hand; nothing where an argument held a secret, which the log
 * does not keep.
 *
 * @param options as {@link placeOptions} gives them
 */
export function againCommand(tool: string, input: Readonly<Record<string, unknown>>, options = ''): string | undefined {
  const text = JSON.stringify(input);
  if (holdsRedacted(text)) return undefined;
  return `soloist tools call ${shellWord(tool)} --input ${quoted(text)}${options}`;
}

/** Whether something was left out of the text on its way to the log (`src/store/redact-secrets.ts`). */
export function holdsRedacted(text: string): boolean {
  return text.includes('[redacted:');
}

/** A word of a shell: as it is where nothing in it means something to a shell, else in quotes. */
export function shellWord(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : quoted(text);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
