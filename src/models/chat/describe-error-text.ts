import type { ModelFailure } from '../../core/model.ts';
import type { Addressee } from './addressee.ts';

const SHOWN = 300;
/** Servers repeat a wrong key in their refusal, masked or not. */
const KEY = /\b(?:sk|pk|gsk|hf)[-_][\w*-]{6,}/g;

/** What a server may say that a model or the server itself lacks; a request can be made without it. */
export type Lacking = 'tools' | 'thinking' | 'format' | 'temperature' | 'seed' | 'stream_options' | 'max_tokens';

/** A failure with what only the retries need to know. */
export interface DescribedFailure extends ModelFailure {
  readonly lacks?: Lacking;
  /** The connection broke before the answer began. */
  readonly beforeAnswer?: boolean;
  /** The server is loading the model and says so instead of making the request wait. */
  readonly loading?: boolean;
  /** The model does not fit into the server's memory with the window that was asked for. */
  readonly outOfMemory?: boolean;
  /** How long the server asks to be left alone. */
  readonly retryAfterMs?: number;
}

/** What an error message of a server means. Texts are those of Ollama, llama-server, vLLM, LM Studio and OpenAI. */
export function describeErrorText(text: string, status: number, addressee: Addressee): DescribedFailure {
  const overflow = readOverflow(text);
  if (overflow) return overflow;
  const shown = excerpt(text);
  const lacks = lacking(text, status);
  if (lacks) return { kind: 'bad_request', message: shown, lacks };
  if (isUnparsableOutput(text))
    return { kind: 'output_invalid', message: `the server could not read what the model wrote: ${shown}`, partial: text };
  return describeStatusText(shown, status, addressee);
}

function describeStatusText(shown: string, status: number, { model, host, hints }: Addressee): DescribedFailure {
  if (status === 404 && /model/i.test(shown))
    return { kind: 'model_not_found', message: `${model} is not installed at ${host}`, fix: hints.missingModel(model) };
  if (status === 503 && /loading/i.test(shown)) return { kind: 'busy', message: `${host} is loading ${model}: ${shown}`, loading: true };
  if (/insufficient_quota/.test(shown))
    return { kind: 'not_authorised', message: `the account at ${host} has no quota left: ${shown}`, fix: hints.signIn };
  if (status === 503 || status === 429) return { kind: 'busy', message: `${host} is busy: ${shown}` };
  if (status === 401) return { kind: 'not_authorised', message: `${host} wants a sign-in for ${model}: ${shown}`, fix: hints.signIn };
  if (status === 403) return { kind: 'refused', message: `${host} refused the request: ${shown}`, fix: hints.wrongHost };
  if (OUT_OF_MEMORY.test(shown))
    return {
      kind: 'server_fault',
      message: `${model} does not fit into the memory of ${host}: ${shown}`,
      fix: 'set context_tokens of the model lower, or choose a smaller model',
      outOfMemory: true,
    };
  if (isBadOption(shown) || (status >= 400 && status < 500))
    return { kind: 'bad_request', message: `${host} rejected the request (${status}): ${shown}` };
  return { kind: 'server_fault', message: `${host} failed (${status}): ${shown}`, fix: hints.log };
}

const LACKS: readonly (readonly [Lacking, RegExp])[] = [
  [
    'tools',
    /does not support tools|tool(?:s|_choice| calling| use)?\b.{0,60}\b(?:not supported|unsupported|requires --(?:enable|jinja))|requires --jinja|--enable-auto-tool-choice/i,
  ],
  ['thinking', /does not support thinking|reasoning_effort|chat_template_kwargs/i],
  ['max_tokens', /['"`]?max_tokens['"`]?.{0,60}(?:not supported|unsupported|use ['"`]?max_completion_tokens)/i],
  ['temperature', /['"`]?temperature['"`]?.{0,60}(?:not support|unsupported|only the default)|unsupported.{0,30}temperature/i],
  ['seed', /['"`]?seed['"`]?.{0,60}(?:not support|unsupported)|(?:unsupported|unrecognized|unknown).{0,30}['"`]seed['"`]/i],
  ['stream_options', /stream_options/i],
  ['format', /response_format.{0,80}(?:not support|unsupported|must be)|JSON schema conversion failed|failed to parse grammar/i],
];

function lacking(text: string, status: number): Lacking | undefined {
  // A server that stumbles is not one that says what it lacks; 500 and 501 are llama-server's way of saying so.
  if (status !== 400 && status !== 422 && status !== 500 && status !== 501) return undefined;
  return LACKS.find(([, pattern]) => pattern.test(text))?.[0];
}

function isUnparsableOutput(text: string): boolean {
  return /error parsing tool call|XML syntax error|does not match the expected|invalid tool call arguments|failed to parse (?:tool call|input at pos)/i.test(
    text,
  );
}

const OUT_OF_MEMORY =
  /out ?of ?(?:device)? ?memory|requires more system memory|insufficient (?:system )?memory|cudaMalloc|(?:unable|failed) to allocate|unable to load full model on GPU/i;

function isBadOption(text: string): boolean {
  return /option ".*" must be of type|invalid (?:think|option|format)/i.test(text);
}

const OVERFLOW =
  /exceed_context_size|exceeds the (?:available )?context|longer than the context length|context length exceeded|context_length_exceeded|maximum context length|exceeds? (?:the )?(?:model'?s )?max(?:imum)?[ _]model[ _]len|too large to process|loaded with context length of only|greater than the context length/i;

/** A prompt that exceeds the window, told as plain text or as JSON inside the text, with the counts if it has them. */
function readOverflow(text: string): DescribedFailure | undefined {
  if (!OVERFLOW.test(text)) return undefined;
  const promptTokens =
    count(text, /n_prompt_tokens\\*"\s*:\s*(\d+)/) ??
    count(text, /(?:request|input) \((\d+) tokens\)/) ??
    count(text, /(?:resulted in|requested|contains at least) (\d+)/);
  const windowTokens =
    count(text, /n_ctx\\*"\s*:\s*(\d+)/) ??
    count(text, /context size \((\d+) tokens\)/) ??
    count(text, /maximum context length (?:is|of) (\d+)/);
  const known = promptTokens !== undefined && windowTokens !== undefined;
  return {
    kind: 'context_overflow',
    message: known
      ? `the prompt has ${promptTokens} tokens and the window ${windowTokens}`
      : 'the prompt is longer than the context window',
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  };
}

function count(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** What no text holds: control characters, and what takes the place of bytes that are no UTF-8. */
const NOT_TEXT = /[^\P{Cc}\s]|\ufffd/gu;

/** A text in one line, at most as long as a message can bear. */
export function excerpt(text: string): string {
  const printable = text.replace(NOT_TEXT, '');
  if (printable.length < text.length * 0.9) return 'bytes that are not text (does a proxy compress them?)';
  const line = printable.replace(/\s+/g, ' ').trim().replace(KEY, '(key)');
  if (/^<(?:!doctype|html)/i.test(line)) return 'an HTML page (is this a proxy?)';
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)}…`;
}
