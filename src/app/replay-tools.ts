import type { Event, RecordedSource } from '../core/event.ts';
import type { SourceCatalog, SourceKind } from '../core/source.ts';
import type { SourceSpec } from '../core/source-spec.ts';
import type { Tool } from '../core/tool.ts';
import { subagentToolName } from '../delegation/subagent-tool.ts';
import { createSourceCatalog, type OpenableCatalog } from '../sources/source-catalog.ts';
import { holdsRedacted } from '../trace/again-command.ts';
import { isSource, missingSources, sourcesOf } from './recorded-sources.ts';
import { missingTool, recordedTool, resultsOf } from './recorded-tools.ts';
import type { Workspace } from './workspace.ts';

export interface ReplayTools {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly catalog: OpenableCatalog;
  /** Sources of the recorded run that are not there now; empty where none is looked at. */
  readonly missing: readonly RecordedSource[];
  /** Why a call was answered from the recording though its tool only reads, by the id of its result; filled while it runs. */
  readonly notCompared: ReadonlyMap<string, string>;
}

interface ReplayedSession {
  readonly workspace: Workspace;
  readonly events: readonly Event[];
  /** `live` runs tools that only read; `recorded` runs none. */
  readonly tools: 'live' | 'recorded';
  /** For what sources put down while they are open. */
  readonly scratch: string;
}

/**
 * The tools of a replay. Live ones see the sources that the session had, no others; a call that asks for one that is not
 * there now, or whose arguments held a secret, gets the recorded answer, so that what follows from it can be compared.
 */
export function replayTools({ workspace, events, tools, scratch }: ReplayedSession): ReplayTools {
  const results = resultsOf(events);
  const ours = new Map(workspace.tools);
  const notCompared = new Map<string, string>();
  if (tools === 'recorded') {
    for (const name of offeredIn(events)) if (!ours.has(name) && !isSubagent(name, workspace)) ours.set(name, missingTool(name));
    for (const [name, tool] of ours) ours.set(name, recordedTool(tool, results));
    return { tools: ours, catalog: workspace.catalog, missing: [], notCompared };
  }
  const { specs, missing } = sourcesThen(events, workspace.catalog);
  const lacks = new Set(missing.map(({ name }) => name));
  const catalog = createSourceCatalog(specs, { scratch }, ({ name }) =>
    lacks.has(name) ? Promise.reject(new MissingSourceError(name)) : workspace.catalog.open(name),
  );
  for (const [name, tool] of ours) {
    const isRecorded = tool.effect === 'write' || MEMORY_TOOLS.has(name);
    ours.set(name, isRecorded ? recordedTool(tool, results) : liveTool(tool, recordedTool(tool, results), notCompared));
  }
  return { tools: ours, catalog, missing, notCompared };
}

/** What they read is not what it was then by their own doing, and a replay leaves no notes. */
const MEMORY_TOOLS: ReadonlySet<string> = new Set(['recall', 'remember', 'graph_add', 'graph_walk', 'scratchpad']);

interface SourcesThen {
  readonly specs: readonly SourceSpec[];
  readonly missing: readonly RecordedSource[];
}

/** The sources that the session had, each as it is to be had now. */
function sourcesThen(events: readonly Event[], { specs }: OpenableCatalog): SourcesThen {
  const then = sourcesOf(events);
  if (then.length === 0) return { specs, missing: [] };
  const specOf = (source: RecordedSource): SourceSpec =>
    specs.find((spec) => isSource(spec, source)) ?? { name: source.name, kind: source.kind as SourceKind, paths: [] };
  return { specs: then.map(specOf), missing: missingSources(then, specs) };
}

class MissingSourceError extends Error {
  readonly source: string;
  constructor(source: string) {
    super(`source ${source} of the recorded run is not there now`);
    this.name = 'MissingSourceError';
    this.source = source;
  }
}

/** @param recorded the same tool, answering from the recording */
function liveTool(tool: Tool, recorded: Tool, notCompared: Map<string, string>): Tool {
  return {
    ...tool,
    run: async (input, context) => {
      const answerAsThen = (why: string) => {
        notCompared.set(context.resultId, why);
        return recorded.run(input, context);
      };
      if (holdsRedacted(JSON.stringify(input))) return answerAsThen('an argument held a secret, which the log does not keep');
      const { sources, lacked } = watchSources(context.sources);
      try {
        const outcome = await tool.run(input, { ...context, sources });
        if (lacked.size === 0) return outcome;
      } catch (error) {
        if (lacked.size === 0) throw error;
      }
      return answerAsThen(`it asks for ${[...lacked].join(', ')}`);
    },
  };
}

/** The sources, and the names of those that were asked for in vain. */
function watchSources(sources: SourceCatalog) {
  const lacked = new Set<string>();
  const watch = (error: unknown): never => {
    if (error instanceof MissingSourceError) lacked.add(error.source);
    throw error;
  };
  const watched: SourceCatalog = {
    all: sources.all,
    pick: (capability, name) => sources.pick(capability, name).catch(watch),
    withCapability: (capability) => sources.withCapability(capability).catch(watch),
  };
  return { sources: watched, lacked };
}

function offeredIn(events: readonly Event[]): Set<string> {
  return new Set(events.flatMap(({ body }) => (body.type === 'agent.started' ? body.tools : [])));
}

function isSubagent(name: string, workspace: Workspace): boolean {
  return workspace.project.agents.some((agent) => subagentToolName(agent.name) === name);
}
