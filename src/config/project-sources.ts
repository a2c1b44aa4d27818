import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import { SOURCE_KINDS } from '../core/source.ts';
import type { SourceSpec } from '../core/source-spec.ts';
import { isKind, makeSource, parseSourceFlag, takesUrl } from './parse-source-flag.ts';
import type { Path, YamlDocument } from './yaml-document.ts';

export interface SourcesRequest {
  readonly folder: string;
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly flags: readonly string[];
  /** `soloist.yaml`, where there is one. */
  readonly document: YamlDocument | undefined;
}

interface Sources {
  readonly sources: readonly SourceSpec[];
  readonly problems: readonly Problem[];
}

/**
 * The project's sources with the flags worked in: a flag adds a source, replaces the one of its name, or, as a plain
 * name, picks (then only what was picked or added stays). Without any, the folder itself is a `files` source `data`.
 */
export function projectSources(request: SourcesRequest): Sources {
  const declared = request.document ? declaredSources(request.document, request) : { sources: [], problems: [] };
  const problems = [...declared.problems];
  const added: SourceSpec[] = [];
  const picked: SourceSpec[] = [];
  const names = declaredNames(request.document);
  for (const flag of request.flags) {
    const result = parseSourceFlag(flag, request);
    if (result.type === 'problem') problems.push(result.problem);
    else if (result.type === 'pick') {
      const found = declared.sources.find(({ name }) => name === result.name);
      if (found) picked.push({ ...found, given: 'picked' });
      else if (!names.includes(result.name)) problems.push(unknownPick(result.name, names));
    } else if (result.named && added.some(({ name }) => name === result.spec.name)) {
      problems.push({
        where: `--source ${result.spec.name}=…`,
        fact: `source "${result.spec.name}" is given twice`,
        fix: 'name them differently',
      });
    } else {
      const taken = [...added.map(({ name }) => name), ...(result.named ? [] : names)];
      const name = result.named ? result.spec.name : freeName(result.spec.name, taken);
      added.push({ ...result.spec, name, given: 'flag' });
    }
  }
  const kept = picked.length > 0 ? picked : declared.sources;
  const sources = [...kept.filter(({ name }) => !added.some((other) => other.name === name)), ...added];
  if (sources.length === 0 && names.length === 0 && problems.length === 0) {
    return { sources: [{ name: 'data', kind: 'files', paths: [request.folder], given: 'folder' }], problems };
  }
  return { sources, problems };
}

function unknownPick(name: string, names: readonly string[]): Problem {
  if (isKind(name)) return { where: `--source ${name}`, fact: 'the path is missing', fix: `write [NAME=]${name}:PATH` };
  const fix = names.length > 0 ? `${suggestName(name, names)} or write [NAME=]KIND:PATH` : 'write [NAME=]KIND:PATH, e.g. files:./data';
  return { where: `--source ${name}`, fact: `the project declares no source "${name}"`, fix };
}

function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) if (!taken.includes(`${name}-${number}`)) return `${name}-${number}`;
}

function declaredNames(document: YamlDocument | undefined): string[] {
  const declared = document?.value.sources;
  return typeof declared === 'object' && declared !== null && !Array.isArray(declared) ? Object.keys(declared) : [];
}

function declaredSources(document: YamlDocument, request: SourcesRequest): Sources {
  const results = declaredNames(document).map((name) => declaredSource(document, name, request));
  return {
    sources: results.filter((one) => one !== undefined && 'kind' in one),
    problems: results.filter((one) => one !== undefined && 'fact' in one),
  };
}

/** One entry; undefined when the schema has already found it wrong. */
function declaredSource(document: YamlDocument, name: string, request: SourcesRequest): SourceSpec | Problem | undefined {
  const path: Path = ['sources', name];
  const entry = (document.value.sources as Record<string, unknown>)[name];
  if (typeof entry === 'string') return shortSource(document, { name, path, text: entry }, request);
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  const { kind, path: target, url, token } = entry as Record<string, unknown>;
  if (typeof kind !== 'string' || !isKind(kind)) return undefined;
  const wanted = takesUrl(kind) ? 'url' : 'path';
  const surplus = Object.keys(entry).find((key) => key === (takesUrl(kind) ? 'path' : 'url') || (key === 'token' && kind !== 'airflow'));
  if (surplus !== undefined)
    return {
      where: document.where([...path, surplus], 'key'),
      fact: `a ${kind} source takes no "${surplus}"`,
      fix: `it takes "${wanted}"`,
    };
  const value = takesUrl(kind) ? url : target;
  if (value === undefined)
    return { where: document.where(path), fact: `a ${kind} source needs "${wanted}"`, fix: `add the key "${wanted}"` };
  const targets =
    typeof value === 'string'
      ? [value]
      : Array.isArray(value) && value.every((one) => typeof one === 'string')
        ? (value as string[])
        : undefined;
  if (!targets || targets.length === 0 || targets.includes('')) return undefined;
  const placeOf = (index: number): Path => (typeof value === 'string' ? [...path, wanted] : [...path, wanted, index]);
  if (targets.length > 1 && kind !== 'dbt')
    return { where: document.where(placeOf(1)), fact: `a ${kind} source has one path`, fix: 'declare a source for each' };
  const shown = targets.map((text, index) => document.shown(placeOf(index)) ?? text);
  const source = makeSource({ ...request, name, kind, targets, shown, token: typeof token === 'string' ? token : undefined });
  return 'fact' in source ? { where: document.where(placeOf(source.index)), fact: source.fact, fix: source.fix } : source;
}

/** `kind:path` in one text. */
function shortSource(
  document: YamlDocument,
  { name, path, text }: { readonly name: string; readonly path: Path; readonly text: string },
  request: SourcesRequest,
): SourceSpec | Problem {
  const where = document.where(path);
  const written = document.shown(path) ?? text;
  const colon = text.indexOf(':');
  const kind = text.slice(0, Math.max(0, colon));
  const shownKind = written.slice(0, Math.max(0, written.indexOf(':')));
  if (colon < 0) return { where, fact: `source "${name}" has no kind`, fix: `write kind:path; kinds: ${SOURCE_KINDS.join(', ')}` };
  const isAddress = /^postgres(ql)?:\/\//.test(text);
  const known = isAddress ? 'postgres' : kind;
  if (!isKind(known)) return { where, fact: `unknown kind of source "${shownKind}"`, fix: suggestName(shownKind, SOURCE_KINDS) };
  const targets = [isAddress ? text : text.slice(colon + 1)];
  const shown = [document.shown(path) === undefined ? (targets[0] ?? '') : written.slice(written.indexOf(':') + 1)];
  const source = makeSource({ ...request, name, kind: known, targets, shown, token: undefined });
  return 'fact' in source ? { where, fact: source.fact, fix: source.fix } : source;
}
