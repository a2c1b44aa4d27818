import { isKind, takesUrl } from '../config/parse-source-flag.ts';
import type { Event, RecordedSource } from '../core/event.ts';
import type { SourceSpec } from '../core/source-spec.ts';

/** What the log keeps of a session's sources: enough to bring again those that no file of the project declares. */
export function recordedSources(specs: readonly SourceSpec[]): RecordedSource[] {
  return specs.map((spec) => {
    const { name, kind, given } = spec;
    if (given === undefined) return { name, kind };
    return { name, kind, flag: given === 'picked' ? name : `${name}=${kind}:${placeOf(spec)}` };
  });
}

/** The sources that the session of these events had. */
export function sourcesOf(events: readonly Event[]): readonly RecordedSource[] {
  const opened = events.find(({ body }) => body.type === 'session.opened')?.body;
  return opened?.type === 'session.opened' ? opened.sources : [];
}

/** Those of them that are not there now. */
export function missingSources(then: readonly RecordedSource[], now: readonly SourceSpec[]): readonly RecordedSource[] {
  return then.filter((source) => !now.some((spec) => isSource(spec, source)));
}

/** Whether a source of now is that of then. The folder of now, taken for want of any other source, is none unless it is the same. */
export function isSource(spec: SourceSpec, { name, kind, flag }: RecordedSource): boolean {
  if (spec.name !== name || spec.kind !== kind) return false;
  return spec.given !== 'folder' || flag === undefined || recordedSources([spec])[0]?.flag === flag;
}

/** What brings a source again; `PATH` and `URL` stand for what the log does not hold. */
export function flagOf({ name, kind, flag }: RecordedSource): string {
  return flag ?? `${name}=${kind}:${isKind(kind) && takesUrl(kind) ? 'URL' : 'PATH'}`;
}

function placeOf({ paths, url }: SourceSpec): string {
  return url === undefined ? paths.join(',') : withoutSecrets(url);
}

const SECRET_PARAMETER = /pass|secret|token|key|sig/i;

/** A URL that says where, not who may: drivers take passwords from the environment too (`PGPASSWORD`). */
function withoutSecrets(text: string): string {
  if (!URL.canParse(text)) return '…';
  const url = new URL(text);
  if (url.password === '' && ![...url.searchParams.keys()].some((key) => SECRET_PARAMETER.test(key))) return text;
  url.password = '';
  for (const key of [...url.searchParams.keys()]) if (SECRET_PARAMETER.test(key)) url.searchParams.delete(key);
  return url.href;
}
