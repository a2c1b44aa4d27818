import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { SoloistError } from '../core/errors.ts';

const SECONDS = 10;

/**
 * Sends spans in OTLP/JSON to the collector that the environment names, as
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/ has it. Answers host and path, with what the collector
 * remarked; nothing where the environment names none.
 *
 * @throws SoloistError `usage` for an address that is none, `refused` when it cannot be reached or does not take them
 */
export async function postSpans(body: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const url = endpointOf(environment);
  if (!url) return undefined;
  const place = `${url.host}${url.pathname}`;
  const { status, text } = await post(url, body, headersOf(environment)).catch((error: NodeJS.ErrnoException) => {
    throw new SoloistError('refused', `the collector at ${place} cannot be reached (${error.code ?? error.message})`, {
      fix: 'start it, correct OTEL_EXPORTER_OTLP_ENDPOINT, or write a file with --out',
    });
  });
  if (status < 200 || status >= 300)
    throw new SoloistError('refused', `the collector at ${place} answered ${status}: ${text.slice(0, 200).trim() || 'nothing'}`);
  const rejected = /"rejectedSpans"\s*:\s*"?([1-9]\d*)/.exec(text)?.[1];
  return rejected === undefined ? place : `${place}, which rejected ${rejected} of them`;
}

function endpointOf(environment: NodeJS.ProcessEnv): URL | undefined {
  const whole = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const given = whole || environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!given) return undefined;
  const address = whole || `${given.replace(/\/+$/, '')}/v1/traces`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new SoloistError('usage', 'OTEL_EXPORTER_OTLP_ENDPOINT is no http address', { fix: 'for example http://127.0.0.1:4318' });
}

/** `name=value,name=value`, values percent-encoded. */
function headersOf({ OTEL_EXPORTER_OTLP_HEADERS: text = '' }: NodeJS.ProcessEnv): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at > 0 ? [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function post(url: URL, body: string, headers: Record<string, string>): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const bytes = Buffer.from(body);
    const request = send(
      url,
      { method: 'POST', headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes.length } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      },
    );
    request.setTimeout(SECONDS * 1000, () => request.destroy(new Error(`no answer within ${SECONDS} s`)));
    request.on('error', reject);
    request.end(bytes);
  });
}
