import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import { SOURCE_KINDS, type SourceKind } from '../core/source.ts';
import type { SourceSpec } from '../core/source-spec.ts';

/** A source, what is wrong with it, or the name of a source to pick out of the project's. */
export type SourceFlag =
  | { readonly type: 'source'; readonly spec: SourceSpec; readonly named: boolean }
  | { readonly type: 'pick'; readonly name: string }
  | { readonly type: 'problem'; readonly problem: Problem };

/**
 * Reads one `--source [NAME=]KIND:PATH`. A plain word picks a source that the project declares. What follows the kind is
 * never repeated in a message unless it is a path: a connection string may hold a password.
 */
export function parseSourceFlag(
  flag: string,
  { cwd, environment }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): SourceFlag {
  const [, written, rest = ''] = /^(?:([A-Za-z][A-Za-z0-9_-]*)=)?([\s\S]*)$/.exec(flag) ?? [];
  const colon = rest.indexOf(':');
  const where = `--source ${written === undefined ? '' : `${written}=`}${colon < 0 ? '…' : `${rest.slice(0, colon)}:…`}`;
  const problem = (fact: string, fix: string): SourceFlag => ({ type: 'problem', problem: { where, fact, fix } });
  if (colon < 0) {
    if (written === undefined && /^[A-Za-z][A-Za-z0-9_-]*$/.test(rest)) return { type: 'pick', name: rest };
    return problem(
      'the kind or the path is missing',
      `write [NAME=]KIND:PATH, e.g. ${isKind(rest) ? rest : 'files'}:./data; kinds: ${SOURCE_KINDS.join(', ')}`,
    );
  }
  const scheme = rest.slice(0, colon);
  const isAddress = /^postgres(ql)?:\/\//.test(rest);
  const kind = isAddress ? 'postgres' : scheme;
  if (!isKind(kind)) return problem(`unknown kind of source "${kind}"`, suggestName(kind, SOURCE_KINDS));
  const target = isAddress ? rest : rest.slice(colon + 1);
  if (target === '') return problem(`nothing follows "${kind}:"`, takesUrl(kind) ? 'write its URL' : 'write its path');
  const result = makeSource({
    name: written ?? kind,
    kind,
    targets: splitTargets(kind, target, cwd),
    token: undefined,
    folder: cwd,
    environment,
  });
  if ('fact' in result) return problem(result.fact, result.fix);
  return { type: 'source', spec: result, named: written !== undefined };
}

/** Several target folders of dbt may be given with commas between. */
function splitTargets(kind: SourceKind, target: string, cwd: string): readonly string[] {
  return kind === 'dbt' && target.includes(',') && !existsSync(resolve(cwd, target)) ? target.split(',').filter(Boolean) : [target];
}

export function isKind(text: string): text is SourceKind {
  return (SOURCE_KINDS as readonly string[]).includes(text);
}

export function takesUrl(kind: SourceKind): boolean {
  return kind === 'postgres' || kind === 'airflow';
}

export interface SourceParts {
  readonly name: string;
  readonly kind: SourceKind;
  /** Paths, or the one URL. */
  readonly targets: readonly string[];
  /** The targets as the file has them, when the environment filled them in. */
  readonly shown?: readonly string[];
  readonly token: string | undefined;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** A source whose paths exist and whose URL can be read, or the first thing that is wrong with it. */
export function makeSource(parts: SourceParts): SourceSpec | { readonly fact: string; readonly fix: string; readonly index: number } {
  const { name, kind, targets, folder, environment } = parts;
  if (takesUrl(kind)) {
    const url = targets[0] ?? '';
    const wanted = kind === 'airflow' ? /^https?:$/ : /^postgres(ql)?:$/;
    if (!URL.canParse(url) || !wanted.test(new URL(url).protocol)) {
      const fix = kind === 'airflow' ? 'write http://host:8080 or https://host' : 'write postgresql://user@host:5432/database';
      return { fact: `the URL of ${kind} source "${name}" cannot be read`, fix, index: 0 };
    }
    const token = kind === 'airflow' ? (parts.token ?? environment.AIRFLOW_TOKEN) : undefined;
    return { name, kind, paths: [], url, ...(token ? { token } : {}) };
  }
  const paths = targets.map((target) => resolve(folder, target));
  for (const [index, path] of paths.entries()) {
    const shown = parts.shown?.[index] ?? targets[index] ?? path;
    const fact = pathFact(path, kind, shown);
    if (fact) return { ...fact, index };
  }
  return { name, kind, paths };
}

function pathFact(path: string, kind: SourceKind, shown: string): { fact: string; fix: string } | undefined {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry) return { fact: `there is no file or folder "${shown}"`, fix: shown.includes('${') ? 'check the path' : nearestEntry(path) };
  if ((kind === 'duckdb' || kind === 'sqlite') && !entry.isFile()) {
    return { fact: `"${shown}" is a folder`, fix: `a ${kind} source is one database file` };
  }
  return undefined;
}

function nearestEntry(path: string): string {
  try {
    return suggestName(basename(path), readdirSync(dirname(path)));
  } catch {
    return 'the folder above it does not exist either';
  }
}
