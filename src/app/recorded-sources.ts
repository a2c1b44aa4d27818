import type { RecordedSource } from '../core/event.ts';
import type { SourceSpec } from '../core/source-spec.ts';

/** What the log keeps of a session's sources: enough to bring again those that no file of the project declares. */
export function recordedSources(specs: readonly SourceSpec[]): RecordedSource[] {
  return specs.map((spec) => {
    const { name, kind, given } = spec;
    if (given === undefined) return { name, kind };
    return { name, kind, flag: given === 'picked' ? name : `${name}=${kind}:${placeOf(spec)}` };
  });
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
