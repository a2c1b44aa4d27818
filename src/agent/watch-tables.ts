import type { QueryOutcome, Source, SourceCatalog, TableEngine } from '../core/source.ts';
import type { ToolOutcome, ToolWarning } from '../core/tool-result.ts';

/** Places of a file that are no rows of its table, whatever they were meant to be. */
const LOST_ROWS: ReadonlySet<string> = new Set(['bad_json', 'broken_json']);
const MOST_SHOWN = 5;

/** The sources of one call, and what the tables read through them have lost. */
export interface WatchedSources {
  readonly sources: SourceCatalog;
  /** The call's outcome; one that rests on a table of which places are no rows holds part of what there is, and says so. */
  withLosses(outcome: ToolOutcome): ToolOutcome;
}

/** Whatever tool asks whatever table: what the engine says of lost places in its answers is kept until the outcome is there. */
export function watchTables(sources: SourceCatalog): WatchedSources {
  // Most calls of an agent's own tools ask no table.
  let watcher: Watcher | undefined;
  const watch = (source: Source): Source => {
    watcher ??= createWatcher();
    return watcher.watch(source);
  };
  return {
    sources: {
      all: sources.all,
      pick: async (capability, name) => watch(await sources.pick(capability, name)),
      withCapability: async (capability) => (await sources.withCapability(capability)).map(watch),
    },
    withLosses: (outcome) => addLosses(outcome, watcher ? [...watcher.losses.values()] : []),
  };
}

interface Watcher {
  readonly losses: ReadonlyMap<string, ToolWarning>;
  watch(source: Source): Source;
}

function createWatcher(): Watcher {
  const losses = new Map<string, ToolWarning>();
  const engines = new Map<TableEngine, TableEngine>();
  const note = (outcome: QueryOutcome): QueryOutcome => {
    if (outcome.ok) for (const warning of outcome.warnings) if (LOST_ROWS.has(warning.code)) losses.set(warning.message, warning);
    return outcome;
  };
  const watch = (source: Source): Source => {
    if (!source.tables) return source;
    const engine = engines.get(source.tables) ?? watchEngine(source.tables, note);
    engines.set(source.tables, engine);
    return Object.create(source, { tables: { value: engine, enumerable: true } }) as Source;
  };
  return { losses, watch };
}

function watchEngine(engine: TableEngine, note: (outcome: QueryOutcome) => QueryOutcome): TableEngine {
  return {
    dialect: engine.dialect,
    quote: (identifier) => engine.quote(identifier),
    relation: (name, scope) => engine.relation(name, scope),
    listTables: (scope) => engine.listTables(scope),
    describeTable: (name, scope) => engine.describeTable(name, scope),
    query: async (request) => note(await engine.query(request)),
  };
}

/** A tool that names losses itself, as a listing does, is a part as well. */
function addLosses(outcome: ToolOutcome, losses: readonly ToolWarning[]): ToolOutcome {
  if (outcome.status === 'refused' || outcome.status === 'error') return outcome;
  const isLoss = ({ code }: ToolWarning): boolean => LOST_ROWS.has(code);
  if (losses.length === 0 && !outcome.warnings?.some(isLoss)) return outcome;
  const left = losses.length - MOST_SHOWN;
  const more = left > 0 ? [{ code: 'more_losses', message: `${left} more of the tables read have places that are no rows` }] : [];
  const own = losses.length === 0 ? outcome.warnings : outcome.warnings.filter((warning) => !isLoss(warning));
  return {
    ...outcome,
    status: outcome.status === 'ok' ? 'partial' : outcome.status,
    complete: false,
    warnings: [...losses.slice(0, MOST_SHOWN), ...more, ...own],
  };
}
