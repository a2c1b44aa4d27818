import { type DbtManifest, type DbtManifestNode, isDisabled, usersOf } from './dbt-manifest.ts';
import { diffLines } from './diff-lines.ts';

/** A node that both manifests have and whose definition differs. */
export interface ChangedNode {
  readonly node: string;
  readonly type: string;
  readonly file: string | null;
  /** What differs: `sql`, `config`, `parents`. */
  readonly what: readonly string[];
  readonly addedLines: number;
  readonly removedLines: number;
  /** The lines that differ, `- ` and `+ ` before each. */
  readonly diff: readonly string[];
  readonly config: readonly string[];
  readonly parents: readonly string[];
}

/** A test that the later manifest does not run any more. */
export interface GoneTest {
  readonly node: DbtManifestNode;
  readonly why: 'removed' | 'disabled';
  /** A new test of the same kind on the same column, if there is one: the old one's arguments changed. */
  readonly replacedBy: string | null;
}

export interface ComparedManifests {
  readonly changed: readonly ChangedNode[];
  readonly added: readonly DbtManifestNode[];
  readonly removed: readonly DbtManifestNode[];
  readonly goneTests: readonly GoneTest[];
  readonly newTests: readonly DbtManifestNode[];
  readonly macros: readonly { readonly macro: string; readonly change: string; readonly usedBy: number }[];
  readonly packagesAdded: readonly string[];
  readonly packagesRemoved: readonly string[];
  /** Nodes whose SQL neither manifest holds: not compared. */
  readonly withoutCode: number;
}

/** What changed from one manifest to the next, by node id; SQL is compared without trailing blanks. */
export function compareManifests(before: DbtManifest, after: DbtManifest): ComparedManifests {
  const tests = (manifest: DbtManifest): DbtManifestNode[] =>
    [...manifest.nodes.values()].filter(({ type, id }) => isTest(type) && !isDisabled(manifest, id));
  const [oldTests, nowTests] = [tests(before), tests(after)];
  const running = new Set(nowTests.map(({ id }) => id));
  const known = new Set(oldTests.map(({ id }) => id));
  const newTests = nowTests.filter(({ id }) => !known.has(id));
  const shared = [...after.nodes.values()].filter(({ id }) => before.nodes.has(id));
  const changed = shared.flatMap((node) => changeOf(before.nodes.get(node.id) as DbtManifestNode, node) ?? []);
  return {
    changed: changed.sort((left, right) => weight(right) - weight(left)),
    added: [...after.nodes.values()].filter(({ id, type }) => !before.nodes.has(id) && !isTest(type)),
    removed: [...before.nodes.values()].filter(({ id, type }) => !after.nodes.has(id) && !isTest(type)),
    goneTests: oldTests.filter(({ id }) => !running.has(id)).map((node) => goneTest(node, after, newTests)),
    newTests,
    macros: changedMacros(before, after),
    packagesAdded: after.packages.filter((name) => !before.packages.includes(name)),
    packagesRemoved: before.packages.filter((name) => !after.packages.includes(name)),
    withoutCode: shared.filter((node) => node.type === 'model' && (node.code === null || before.nodes.get(node.id)?.code === null)).length,
  };
}

function isTest(type: string): boolean {
  return type === 'test' || type === 'unit_test';
}

function goneTest(node: DbtManifestNode, after: DbtManifest, newTests: readonly DbtManifestNode[]): GoneTest {
  const like = newTests.find(
    ({ test }) =>
      test &&
      node.test &&
      test.kind !== null &&
      test.kind === node.test.kind &&
      test.column === node.test.column &&
      test.of === node.test.of,
  );
  return { node, why: isDisabled(after, node.id) ? 'disabled' : 'removed', replacedBy: like?.id ?? null };
}

/** Settings that say how a node is built or how strict a test is; the rest is documentation. */
const SETTINGS = [
  'enabled',
  'materialized',
  'incremental_strategy',
  'unique_key',
  'on_schema_change',
  'full_refresh',
  'schema',
  'database',
  'alias',
  'pre-hook',
  'post-hook',
  'partition_by',
  'cluster_by',
  'severity',
  'warn_if',
  'error_if',
  'where',
  'limit',
  'fail_calc',
  'store_failures',
  'strategy',
  'updated_at',
  'check_cols',
  'invalidate_hard_deletes',
];

function changeOf(before: DbtManifestNode, after: DbtManifestNode): ChangedNode | undefined {
  const [old, now] = [normalise(before.code), normalise(after.code)];
  const sql =
    old !== null && now !== null ? old !== now : before.checksum !== null && after.checksum !== null && before.checksum !== after.checksum;
  const config = SETTINGS.filter((key) => written(before.config[key]) !== written(after.config[key])).map(
    (key) => `${key}: ${written(before.config[key])} → ${written(after.config[key])}`,
  );
  const parents = [
    ...before.parents.filter((id) => !after.parents.includes(id)).map((id) => `- ${id}`),
    ...after.parents.filter((id) => !before.parents.includes(id)).map((id) => `+ ${id}`),
  ];
  if (!sql && config.length === 0 && parents.length === 0) return undefined;
  const lines = sql && old !== null && now !== null ? diffLines(old.split('\n'), now.split('\n')) : [];
  return {
    node: after.id,
    type: after.type,
    file: after.file,
    what: [...(sql ? ['sql'] : []), ...(config.length > 0 ? ['config'] : []), ...(parents.length > 0 ? ['parents'] : [])],
    addedLines: lines.filter((line) => line.startsWith('+')).length,
    removedLines: lines.filter((line) => line.startsWith('-')).length,
    diff: lines,
    config,
    parents,
  };
}

function normalise(code: string | null): string | null {
  return code === null
    ? null
    : code
        .replace(/\r\n?/g, '\n')
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trim();
}

function written(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (Array.isArray(value) && value.length === 0) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function weight({ what, addedLines, removedLines, type }: ChangedNode): number {
  return (what.includes('sql') ? 1_000_000 : 0) + (type === 'model' ? 500_000 : 0) + addedLines + removedLines;
}

function changedMacros(before: DbtManifest, after: DbtManifest): ComparedManifests['macros'] {
  const ids = new Set([...before.macros.keys(), ...after.macros.keys()]);
  const changed: { macro: string; change: string; usedBy: number }[] = [];
  for (const id of ids) {
    const [old, now] = [before.macros.get(id), after.macros.get(id)];
    if (old !== undefined && now !== undefined && normalise(old) === normalise(now)) continue;
    const change = old === undefined ? 'added' : now === undefined ? 'removed' : 'changed';
    changed.push({ macro: id, change, usedBy: usersOf(now === undefined ? before : after, id).length });
  }
  return changed.sort((left, right) => right.usedBy - left.usedBy);
}
