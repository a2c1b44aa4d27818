/** One thing a fake server does while it answers a request, in order. */
export type FakeStep =
  /** A piece of the answer, in the form of the server that plays it: `content`, `thinking`, `tool_calls`. */
  | { readonly say: FakeMessage }
  /** The end of the answer, with its counts. */
  | { readonly end: FakeEnd }
  /** One line: an object as JSON, or a text as it is. A newline follows. */
  | { readonly line: Readonly<Record<string, unknown>> | string }
  /** Raw bytes, for borders anywhere. */
  | { readonly raw: string | Buffer }
  | { readonly waitMs: number }
  /** Cuts the connection. */
  | { readonly reset: true }
  /** Waits until the client has gone, or for ever. */
  | { readonly hang: true };

/** Part of a message. Fields of one server alone may stand beside these. */
export interface FakeMessage extends Readonly<Record<string, unknown>> {
  readonly content?: string | undefined;
  readonly thinking?: string;
  /** As Ollama writes them: `{function: {name, arguments}}`. */
  readonly tool_calls?: readonly object[];
}

/** The last line of Ollama's protocol; the OpenAI-compatible server says the same in its own words. */
export interface FakeEnd extends Readonly<Record<string, unknown>> {
  readonly message?: FakeMessage;
  readonly done_reason?: string | undefined;
  readonly prompt_eval_count?: number;
  readonly eval_count?: number;
  readonly load_duration?: number;
}

/** How one request is answered. */
export interface FakeAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Cuts the connection before any header. */
  readonly resetBeforeHeaders?: boolean;
  /** Holds the headers back: the time of a queue, a load and the reading of the prompt. */
  readonly headersAfterMs?: number;
  readonly steps?: readonly FakeStep[];
}

/** A piece of an answer: text, reasoning or tool calls. */
export function part(message: FakeMessage): FakeStep {
  return { say: message };
}

/** The end of an answer. */
export function done(fields: FakeEnd = {}): FakeStep {
  return { end: { done_reason: 'stop', prompt_eval_count: 50, eval_count: 5, ...fields } };
}

/** A whole answer of text, in one piece and its end. */
export function says(content: string, end: FakeEnd = {}): FakeAnswer {
  return { steps: [part({ content }), done(end)] };
}

/** A whole answer of tool calls. */
export function callsTools(...calls: readonly (readonly [name: string, input: unknown])[]): FakeAnswer {
  const toolCalls = calls.map(([name, input], index) => ({ id: '', function: { index, name, arguments: input } }));
  return { steps: [part({ tool_calls: toolCalls }), done()] };
}

/** A refusal with an `{"error": …}` body. */
export function fails(status: number, error: unknown): FakeAnswer {
  return { status, headers: { 'content-type': 'application/json' }, steps: [{ raw: JSON.stringify({ error }) }] };
}

/** A whole JSON document. */
export function json(value: unknown): FakeAnswer {
  return { headers: { 'content-type': 'application/json; charset=utf-8' }, steps: [{ raw: JSON.stringify(value) }] };
}
