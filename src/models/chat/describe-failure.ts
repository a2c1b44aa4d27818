import type { ModelFailure } from '../../core/model.ts';
import type { ExchangeOutcome } from '../transport/exchange.ts';
import type { Addressee } from './addressee.ts';
import { type DescribedFailure, describeErrorText, excerpt } from './describe-error-text.ts';
import type { StreamFault } from './stream-fault.ts';

type Failed = Exclude<ExchangeOutcome, { kind: 'complete' }>;
const LONGEST_ASKED_PAUSE_MS = 60_000;

/** What a failed exchange means, in words. */
export function describeOutcome(outcome: Failed, addressee: Addressee): DescribedFailure {
  const { host, hints } = addressee;
  switch (outcome.kind) {
    case 'stopped':
      return { kind: 'stopped', message: 'the model call was stopped' };
    case 'unreachable':
      return { kind: 'unreachable', message: `nothing answers at ${host} (${outcome.code})`, fix: hints.unreachable };
    case 'reset':
      return outcome.started
        ? { kind: 'incomplete_stream', message: `the connection to ${host} broke in the middle of the answer (${outcome.code})` }
        : { kind: 'server_fault', message: `${host} closed the connection before it answered (${outcome.code})`, beforeAnswer: true };
    case 'timeout':
      return describeTimeout(outcome.phase, outcome.seconds, addressee);
    case 'status':
      return describeStatus(outcome, addressee);
  }
}

function describeTimeout(phase: 'connect' | 'first_byte' | 'stall', seconds: number, { model, host, hints }: Addressee): ModelFailure {
  if (phase === 'connect') return { kind: 'unreachable', message: `no connection to ${host} within ${seconds} s`, fix: hints.checkHost };
  if (phase === 'first_byte')
    return { kind: 'first_token_timeout', message: `${model} did not begin to answer within ${seconds} s`, fix: hints.slow };
  return { kind: 'stall_timeout', message: `${model} fell silent for ${seconds} s in the middle of its answer` };
}

/** What ended a stream early, in words. */
export function describeFault(fault: StreamFault, addressee: Addressee): DescribedFailure {
  switch (fault.kind) {
    case 'broken_line':
      return { kind: 'protocol', message: `${addressee.host} sent a line that is not JSON: ${excerpt(fault.line)}` };
    case 'server_error':
      return describeErrorText(errorText(fault.error), statusOf(fault.error), addressee);
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
  if (outcome.status < 400) {
    const message = `${addressee.host} answered with a redirect (${outcome.status}), which is not followed`;
    return { kind: 'protocol', message, fix: addressee.hints.checkHost };
  }
  const text = bodyText(outcome.body, outcome.contentType);
  const described = describeErrorText(text || `status ${outcome.status} without a message`, outcome.status, addressee);
  const asked = Number(outcome.retryAfter) * 1000;
  return asked > 0 ? { ...described, retryAfterMs: Math.min(asked, LONGEST_ASKED_PAUSE_MS) } : described;
}

/** The message of an error body: JSON of several shapes, plain text, or HTML, which is not shown. */
function bodyText(body: string, contentType: string): string {
  const trimmed = body.trim();
  if (/html/i.test(contentType) || /^<(?:!doctype|html)/i.test(trimmed)) return 'an HTML page (is this a proxy?)';
  try {
    const parsed = JSON.parse(trimmed) as { error?: unknown; message?: unknown; detail?: unknown };
    return errorText(parsed.error ?? parsed.message ?? parsed.detail ?? parsed);
  } catch {
    return trimmed;
  }
}

/** Fields beside the message that say more than it does: counts of an overflow, the code of a spent quota. */
const TELLING = /^(?:n_ctx|insufficient_quota|context_length_exceeded)$/;

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, ...beside } = (error ?? {}) as { message?: unknown };
  const tells = [...Object.keys(beside), ...Object.values(beside)].some((field) => typeof field === 'string' && TELLING.test(field));
  return typeof message === 'string' && !tells ? message : (JSON.stringify(error) ?? '');
}

/** A line that is an error has no status of its own, but some servers write one into it. */
function statusOf(error: unknown): number {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' && code >= 400 && code < 600 ? code : 500;
}
