import type { ModelFailure } from '../../core/model.ts';
import type { ExchangeOutcome } from '../transport/exchange.ts';
import type { StreamFault } from './chat-stream.ts';

const SHOWN = 300;

/** A failure with what only the retries need to know. */
export interface DescribedFailure extends ModelFailure {
  /** A capability the server says the model lacks. */
  readonly lacks?: 'tools' | 'thinking';
  /** The connection broke before the answer began. */
  readonly beforeAnswer?: boolean;
}

export interface Addressee {
  readonly model: string;
  /** As it may be shown: without credentials. */
  readonly host: string;
}

type Failed = Exclude<ExchangeOutcome, { kind: 'complete' }>;

/** What a failed exchange means, in words. */
export function describeOutcome(outcome: Failed, { model, host }: Addressee): DescribedFailure {
  switch (outcome.kind) {
    case 'stopped':
      return { kind: 'stopped', message: 'the model call was stopped' };
    case 'unreachable':
      return {
        kind: 'unreachable',
        message: `nothing answers at ${host} (${outcome.code})`,
        fix: 'start it with `ollama serve`, or set OLLAMA_HOST to where it runs',
      };
    case 'reset':
      return outcome.started
        ? { kind: 'incomplete_stream', message: `the connection to ${host} broke in the middle of the answer (${outcome.code})` }
        : { kind: 'server_fault', message: `${host} closed the connection before it answered (${outcome.code})`, beforeAnswer: true };
    case 'timeout':
      return describeTimeout(outcome.phase, outcome.seconds, { model, host });
    case 'status':
      return describeStatus(outcome, { model, host });
  }
}

function describeTimeout(phase: 'connect' | 'first_byte' | 'stall', seconds: number, { model, host }: Addressee): DescribedFailure {
  if (phase === 'connect')
    return { kind: 'unreachable', message: `no connection to ${host} within ${seconds} s`, fix: 'check OLLAMA_HOST and the network' };
  if (phase === 'first_byte')
    return {
      kind: 'first_token_timeout',
      message: `${model} did not begin to answer within ${seconds} s`,
      fix: 'the server may be loading the model or busy with others: see `ollama ps`, or raise the first-token limit',
    };
  return { kind: 'stall_timeout', message: `${model} fell silent for ${seconds} s in the middle of its answer` };
}

/** What ended a stream early, in words. */
export function describeFault(fault: StreamFault, addressee: Addressee): DescribedFailure {
  switch (fault.kind) {
    case 'broken_line':
      return { kind: 'protocol', message: `${addressee.host} sent a line that is not JSON: ${excerpt(fault.line)}` };
    case 'server_error':
      return describeText(errorText(fault.error), 500, addressee);
    case 'loop':
      return { kind: 'incomplete_stream', message: 'the model repeated itself without end and was stopped (loop)' };
    case 'incomplete':
      return {
        kind: 'incomplete_stream',
        message: fault.looped
          ? 'the answer ended without its last line: the model repeated itself (loop)'
          : 'the answer ended without its last line',
      };
  }
}

function describeStatus(outcome: Extract<ExchangeOutcome, { kind: 'status' }>, addressee: Addressee): DescribedFailure {
  const text = bodyText(outcome.body, outcome.contentType);
  return describeText(text || `status ${outcome.status} without a message`, outcome.status, addressee);
}

/** The message of an error body: JSON of several shapes, plain text, or HTML, which is not shown. */
function bodyText(body: string, contentType: string): string {
  const trimmed = body.trim();
  if (/html/i.test(contentType) || /^<(?:!doctype|html)/i.test(trimmed)) return 'an HTML page (is this a proxy?)';
  try {
    const parsed = JSON.parse(trimmed) as { error?: unknown; message?: unknown };
    return errorText(parsed.error ?? parsed.message ?? parsed);
  } catch {
    return trimmed;
  }
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = (error as { message?: unknown } | null)?.message;
  // Counts ride beside the message, so such an object is kept whole.
  return typeof message === 'string' && !('n_ctx' in (error as object)) ? message : JSON.stringify(error);
}

function describeText(text: string, status: number, { model, host }: Addressee): DescribedFailure {
  const overflow = readOverflow(text);
  if (overflow) return overflow;
  const shown = excerpt(text);
  if (/does not support tools/i.test(text)) return { kind: 'bad_request', message: shown, lacks: 'tools' };
  if (/does not support thinking/i.test(text)) return { kind: 'bad_request', message: shown, lacks: 'thinking' };
  if (isUnparsableOutput(text))
    return { kind: 'output_invalid', message: `the server could not read what the model wrote: ${shown}`, partial: text };
  if (status === 404 && /model/i.test(text))
    return { kind: 'model_not_found', message: `${model} is not installed at ${host}`, fix: `ollama pull ${model}` };
  if (status === 503 || status === 429) return { kind: 'busy', message: `${host} is busy: ${shown}` };
  if (status === 401)
    return {
      kind: 'not_authorised',
      message: `${host} wants a sign-in for ${model}: ${shown}`,
      fix: 'run `ollama signin`, or choose a local model',
    };
  if (status === 403)
    return {
      kind: 'refused',
      message: `${host} refused the request: ${shown}`,
      fix: 'check that OLLAMA_HOST names the host as the server expects it',
    };
  if (isBadOption(text) || (status >= 400 && status < 500))
    return { kind: 'bad_request', message: `${host} rejected the request (${status}): ${shown}` };
  if (/out of memory|requires more system memory|cudaMalloc/i.test(text))
    return {
      kind: 'server_fault',
      message: `${model} does not fit into memory: ${shown}`,
      fix: 'lower the context window or choose a smaller model',
    };
  return { kind: 'server_fault', message: `${host} failed (${status}): ${shown}`, fix: 'see the log of the Ollama server' };
}

function isUnparsableOutput(text: string): boolean {
  return /error parsing tool call|XML syntax error|does not match the expected peg|invalid tool call arguments/i.test(text);
}

function isBadOption(text: string): boolean {
  return /option ".*" must be of type|invalid (?:think|option|format)/i.test(text);
}

/** A prompt that exceeds the window, told as plain text or as JSON inside the text, with the counts if it has them. */
function readOverflow(text: string): DescribedFailure | undefined {
  if (!/exceed_context_size|exceeds the (?:available )?context|longer than the context length|context length exceeded/i.test(text))
    return undefined;
  const promptTokens = count(text, /n_prompt_tokens\\*"\s*:\s*(\d+)/) ?? count(text, /request \((\d+) tokens\)/);
  const windowTokens = count(text, /n_ctx\\*"\s*:\s*(\d+)/) ?? count(text, /context size \((\d+) tokens\)/);
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

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (/^<(?:!doctype|html)/i.test(line)) return 'an HTML page (is this a proxy?)';
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)}…`;
}
