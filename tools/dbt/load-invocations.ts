import type { ToolContext } from '../../src/core/tool.ts';
import type { ToolWarning } from '../../src/core/tool-result.ts';
import { type Artifact, findArtifacts } from '../artifacts/find-artifacts.ts';
import { readArtifact } from '../artifacts/read-artifact.ts';
import { type DbtManifest, readDbtManifest } from './dbt-manifest.ts';
import { type DbtResults, readDbtResults } from './dbt-results.ts';

/** One run of dbt, as its files tell it. */
export interface Invocation {
  readonly source: string;
  readonly path: string;
  readonly artifact: Artifact;
  readonly results: DbtResults;
  readonly nonFinite: readonly string[];
  readonly nonFiniteCount: number;
  /** Folders of the source that hold results. */
  readonly folders: ReadonlySet<string>;
}

export interface LoadedInvocations {
  /** Newest first. */
  readonly invocations: readonly Invocation[];
  readonly manifests: readonly Artifact[];
  /** Files in which dbt says how fresh its sources were. */
  readonly freshness: readonly Artifact[];
  readonly warnings: readonly ToolWarning[];
  readonly complete: boolean;
}

/** Every run_results.json of the sources that have files. @throws SourceChoiceError */
export async function loadInvocations(
  context: ToolContext,
  wanted: { readonly source?: string | undefined; readonly path?: string | undefined },
): Promise<LoadedInvocations> {
  const found = await findArtifacts(context, { ...wanted, kinds: ['dbt_run_results', 'dbt_manifest', 'dbt_freshness'] });
  const warnings = [...found.warnings];
  const invocations: Invocation[] = [];
  let { complete } = found;
  const withResults = found.artifacts.filter(({ kind }) => kind === 'dbt_run_results');
  for (const artifact of withResults) {
    const folders = new Set(withResults.filter(({ source }) => source === artifact.source).map(({ path }) => folderOf(path)));
    const read = await readArtifact(artifact);
    const results = read.ok ? readDbtResults(read.value) : undefined;
    if (!read.ok || !results) {
      complete = false;
      warnings.push({ code: 'broken_file', message: read.ok ? `${artifact.path} has no list "results"` : read.message });
      continue;
    }
    const { nonFinite, nonFiniteCount } = read;
    invocations.push({ source: artifact.source, path: artifact.path, artifact, results, nonFinite, nonFiniteCount, folders });
  }
  const at = ({ results, artifact }: Invocation): string => results.generatedAt ?? artifact.modified.toISOString();
  invocations.sort((left, right) => (at(left) < at(right) ? 1 : at(left) > at(right) ? -1 : left.path < right.path ? -1 : 1));
  const ofKind = (wantedKind: Artifact['kind']): Artifact[] => found.artifacts.filter(({ kind }) => kind === wantedKind);
  return { invocations, manifests: ofKind('dbt_manifest'), freshness: ofKind('dbt_freshness'), warnings, complete };
}

/** The run that is meant by a path, the beginning of one, or an invocation's id. */
export function chooseInvocation(invocations: readonly Invocation[], wanted: string): Invocation | undefined {
  const plain = wanted.replace(/^\.\//, '').replace(/\/$/, '');
  return (
    invocations.find(({ results, path }) => results.invocationId === plain || path === plain) ??
    invocations.find(({ path }) => path.startsWith(`${plain}/`)) ??
    invocations.find(({ path }) => path.split('/').includes(plain))
  );
}

export interface FoundManifest {
  readonly artifact: Artifact;
  readonly manifest: DbtManifest;
  /** How it was known to belong to the run. */
  readonly because: 'same invocation' | 'same folder' | 'the only one';
}

/** The manifest that belongs to a run: of the same invocation, else the only one in its folder. */
export async function manifestOf(
  invocation: Invocation,
  manifests: readonly Artifact[],
  read: (artifact: Artifact) => Promise<DbtManifest | undefined>,
): Promise<FoundManifest | undefined> {
  const own = manifests.filter(({ source }) => source === invocation.source);
  const beside = own.filter(({ path }) => folderOf(path) === folderOf(invocation.path));
  for (const artifact of [...beside, ...own.filter((one) => !beside.includes(one)).slice(0, 40)]) {
    const manifest = await read(artifact);
    if (manifest && manifest.invocationId !== null && manifest.invocationId === invocation.results.invocationId)
      return { artifact, manifest, because: 'same invocation' };
  }
  // A manifest that stands beside results of its own belongs to those.
  const alone = own.filter(({ path }) => !invocation.folders.has(folderOf(path)));
  const only = beside.length === 1 ? beside[0] : alone.length === 1 && beside.length === 0 ? alone[0] : undefined;
  const manifest = only && (await read(only));
  return only && manifest && { artifact: only, manifest, because: beside.length === 1 ? 'same folder' : 'the only one' };
}

/** Reads each manifest once. */
export function createManifestReader(): (artifact: Artifact) => Promise<DbtManifest | undefined> {
  const known = new Map<string, Promise<DbtManifest | undefined>>();
  return (artifact) => {
    const before = known.get(artifact.absolutePath);
    if (before) return before;
    const reading = readArtifact(artifact).then((read) => (read.ok ? readDbtManifest(read.value) : undefined));
    known.set(artifact.absolutePath, reading);
    return reading;
  };
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
