import { type Json, objectOf, textOf, textsOf } from '../artifacts/read-artifact.ts';
import { schemaVersion } from './dbt-results.ts';

/** One node of a manifest: model, test, seed, snapshot, source, exposure … */
export interface DbtManifestNode {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly package: string | null;
  readonly file: string | null;
  readonly relation: string | null;
  /** SQL as written; null where the file holds none. */
  readonly code: string | null;
  readonly checksum: string | null;
  readonly parents: readonly string[];
  /** Settings that change what is built: materialization, tags, where, severity … */
  readonly config: Json;
  readonly macros: readonly string[];
  /** For a test: what it tests. */
  readonly test: { readonly kind: string | null; readonly column: string | null; readonly of: string | null } | null;
}

export interface DbtManifest {
  readonly schemaVersion: string;
  readonly dbtVersion: string | null;
  readonly project: string | null;
  readonly invocationId: string | null;
  readonly generatedAt: string | null;
  readonly nodes: ReadonlyMap<string, DbtManifestNode>;
  /** Ids of nodes that are switched off. */
  readonly disabled: ReadonlySet<string>;
  /** SQL of macros by their id. */
  readonly macros: ReadonlyMap<string, string>;
  readonly packages: readonly string[];
}

const SECTIONS = ['nodes', 'sources', 'exposures', 'metrics', 'semantic_models', 'saved_queries', 'unit_tests', 'functions'];

/** The parts of a manifest.json of schema v1 to v12 and later; undefined where it has no nodes. */
export function readDbtManifest(value: Json): DbtManifest | undefined {
  if (value.nodes === null || typeof value.nodes !== 'object') return undefined;
  const metadata = objectOf(value.metadata);
  const nodes = new Map<string, DbtManifestNode>();
  const parentMap = objectOf(value.parent_map);
  for (const section of SECTIONS)
    for (const [id, node] of Object.entries(objectOf(value[section]))) nodes.set(id, readNode(id, objectOf(node), parentMap));
  const macros = Object.entries(objectOf(value.macros)).map(([id, macro]) => [id, textOf(objectOf(macro).macro_sql) ?? ''] as const);
  return {
    schemaVersion: schemaVersion(metadata),
    dbtVersion: textOf(metadata.dbt_version) ?? null,
    project: textOf(metadata.project_name) ?? textOf(metadata.project_id) ?? null,
    invocationId: textOf(metadata.invocation_id) ?? null,
    generatedAt: textOf(metadata.generated_at) ?? null,
    nodes,
    disabled: new Set(Object.keys(objectOf(value.disabled))),
    macros: new Map(macros),
    packages: [...new Set([...nodes.values()].flatMap((node) => node.package ?? []))].sort(),
  };
}

function readNode(id: string, node: Json, parentMap: Json): DbtManifestNode {
  const dependsOn = objectOf(node.depends_on);
  const parents = textsOf(dependsOn.nodes);
  const type = textOf(node.resource_type) ?? id.split('.', 1)[0] ?? '';
  const metadata = objectOf(node.test_metadata);
  const kwargs = objectOf(metadata.kwargs);
  return {
    id,
    type,
    name: textOf(node.name) ?? id,
    package: textOf(node.package_name) ?? null,
    file: textOf(node.original_file_path) ?? textOf(node.path) ?? null,
    relation: textOf(node.relation_name) ?? null,
    code: textOf(node.raw_code) ?? textOf(node.raw_sql) ?? null,
    checksum: textOf(objectOf(node.checksum).checksum) ?? null,
    parents: parents.length > 0 ? parents : textsOf(parentMap[id]),
    config: objectOf(node.config),
    macros: textsOf(dependsOn.macros),
    test:
      type === 'test'
        ? {
            kind: textOf(metadata.name) ?? null,
            column: textOf(node.column_name) ?? textOf(kwargs.column_name) ?? null,
            of: textOf(node.attached_node) ?? parents[0] ?? null,
          }
        : null,
  };
}

/** Ids of a node's disabled entries are lists; the words of the config say it too. */
export function isDisabled(manifest: DbtManifest, id: string): boolean {
  return manifest.disabled.has(id) || manifest.nodes.get(id)?.config.enabled === false;
}

/** Nodes that a manifest's macro is used by, where they say so. */
export function usersOf(manifest: DbtManifest, macro: string): readonly string[] {
  return [...manifest.nodes.values()].filter((node) => node.macros.includes(macro)).map((node) => node.id);
}
