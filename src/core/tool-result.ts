export type ToolStatus = 'ok' | 'no_data' | 'partial' | 'refused' | 'error';

/** Something the reader of a result must know; `code` is stable, snake_case, one per kind. */
export interface ToolWarning {
  readonly code: string;
  readonly message: string;
}

/**
 * What a tool's `run` returns. `complete` is false whenever anything that matches was left out; lists state `total`
 * and `returned`. Numbers that a JavaScript number cannot hold are text.
 */
export interface ToolOutcome<Data = unknown> {
  readonly status: ToolStatus;
  readonly complete: boolean;
  readonly total?: number;
  readonly returned?: number;
  /** When the data was read, ISO 8601 UTC. */
  readonly as_of: string;
  readonly warnings: readonly ToolWarning[];
  readonly data: Data;
}

/** What a part of a result that was left out amounts to. */
export interface Omission {
  /** Path of the list or text inside the result, e.g. `data.rows`. */
  readonly path: string;
  readonly total: number;
  readonly returned: number;
}

/** A tool's outcome as the model and the user see it: with an id to cite and how to run it again. */
export interface ToolResult<Data = unknown> extends ToolOutcome<Data> {
  readonly id: string;
  readonly tool: string;
  /** How to run it again; left out of what the model sees, since the call stands just before. */
  readonly again?: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
  /** Present when the result was too large: what was left out, readable in full under `reference`. */
  readonly omitted?: readonly Omission[];
  readonly reference?: string;
}

interface Listed {
  readonly total: number;
  readonly returned: number;
}

/** An outcome that holds all there is. */
export function complete<Data>(
  data: Data,
  extra: { warnings?: readonly ToolWarning[]; asOf?: Date } & Partial<Listed> = {},
): ToolOutcome<Data> {
  return outcome('ok', true, data, extra);
}

/** An outcome that holds part of what there is. */
export function partial<Data>(
  data: Data,
  extra: { warnings?: readonly ToolWarning[]; asOf?: Date } & Partial<Listed> = {},
): ToolOutcome<Data> {
  return outcome('partial', false, data, extra);
}

/** Nothing matched, and all was looked at. */
export function noData<Data>(
  data: Data,
  extra: { warnings?: readonly ToolWarning[]; asOf?: Date } & Partial<Listed> = {},
): ToolOutcome<Data> {
  return outcome('no_data', true, data, { total: 0, returned: 0, ...extra });
}

/** The call is not allowed or not sensible; `message` says what to do instead. */
export function refused(code: string, message: string): ToolOutcome<{ message: string }> {
  return outcome('refused', false, { message }, { warnings: [{ code, message }] });
}

/** The world failed: a file that cannot be read, a query with an error. */
export function failed(code: string, message: string): ToolOutcome<{ message: string }> {
  return outcome('error', false, { message }, { warnings: [{ code, message }] });
}

function outcome<Data>(
  status: ToolStatus,
  isComplete: boolean,
  data: Data,
  extra: { warnings?: readonly ToolWarning[]; asOf?: Date } & Partial<Listed>,
): ToolOutcome<Data> {
  const { warnings = [], asOf = new Date(), total, returned } = extra;
  return {
    status,
    complete: isComplete,
    ...(total === undefined ? {} : { total }),
    ...(returned === undefined ? {} : { returned }),
    as_of: asOf.toISOString(),
    warnings,
    data,
  };
}
