import { KINDS_BY_CAPABILITY } from '../core/kinds-by-capability.ts';
import { suggestName } from '../core/nearest.ts';
import { type Source, type SourceCapability, type SourceCatalog, SourceChoiceError } from '../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../core/source-spec.ts';
import { openSource } from './open-source.ts';

/** The sources of a project, each opened when first used and kept open until `close`. */
export interface OpenableCatalog extends SourceCatalog {
  readonly specs: readonly SourceSpec[];
  /** Opens one source by name. @throws SourceChoiceError for an unknown name; whatever the adapter throws when it cannot open. */
  open(name: string): Promise<Source>;
  close(): Promise<void>;
}

/** @param openOne in place of the adapters, where a source is already open elsewhere or cannot be had */
export function createSourceCatalog(
  specs: readonly SourceSpec[],
  environment: SourceEnvironment,
  openOne: (spec: SourceSpec, environment: SourceEnvironment) => Promise<Source> = openSource,
): OpenableCatalog {
  const opened = new Map<string, Promise<Source>>();
  const open = (spec: SourceSpec): Promise<Source> => {
    const known = opened.get(spec.name);
    if (known) return known;
    const opening = openOne(spec, environment);
    opened.set(spec.name, opening);
    opening.catch(() => opened.delete(spec.name));
    return opening;
  };
  const groups = (capability: SourceCapability): SourceSpec[][] =>
    KINDS_BY_CAPABILITY[capability].map((kinds) => specs.filter((spec) => kinds.includes(spec.kind))).filter((group) => group.length > 0);
  return {
    specs,
    all: specs.map(({ name, kind }) => ({ name, kind })),
    open: (name) => open(namedSpec(specs, name)),
    pick: async (capability, name) => open(pickSpec(groups(capability), specs, { capability, name })),
    withCapability: async (capability) => Promise.all((groups(capability)[0] ?? []).map(open)),
    close: async () => {
      for (const opening of opened.values()) await opening.then((source) => source.close()).catch(() => undefined);
      opened.clear();
    },
  };
}

function namedSpec(specs: readonly SourceSpec[], name: string): SourceSpec {
  const spec = specs.find((candidate) => candidate.name === name);
  if (!spec)
    throw new SourceChoiceError(
      `there is no source "${name}"; ${suggestName(
        name,
        specs.map((candidate) => candidate.name),
      )}`,
    );
  return spec;
}

interface Choice {
  readonly capability: SourceCapability;
  readonly name: string | undefined;
}

function pickSpec(groups: readonly (readonly SourceSpec[])[], specs: readonly SourceSpec[], choice: Choice): SourceSpec {
  const { capability, name } = choice;
  const fitting = groups.flat();
  if (name !== undefined) {
    const spec = namedSpec(specs, name);
    if (fitting.includes(spec)) return spec;
    throw new SourceChoiceError(`source "${name}" (${spec.kind}) has no ${capability}; ${listNames(fitting, capability)}`);
  }
  const [group = []] = groups;
  const [only] = group;
  if (only && group.length === 1) return only;
  throw new SourceChoiceError(
    only
      ? `several sources have ${capability}: say which with "source": ${group.map((spec) => spec.name).join(', ')}`
      : listNames([], capability),
  );
}

function listNames(fitting: readonly SourceSpec[], capability: SourceCapability): string {
  if (fitting.length > 0) return `sources with ${capability}: ${fitting.map((spec) => spec.name).join(', ')}`;
  const kinds = KINDS_BY_CAPABILITY[capability].flat().join(', ');
  return `this project has no source with ${capability}; add one of kind ${kinds} (--source NAME=KIND:PATH)`;
}
