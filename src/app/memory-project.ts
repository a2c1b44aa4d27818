import type { Event } from '../core/event.ts';
import type { ChatModel } from '../core/model.ts';
import type { Recalled, RecallOptions } from '../core/recall.ts';
import { Scope } from '../core/scope.ts';
import { type Projection, project } from '../memory/projector.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import type { MemoryStore } from '../store/open-memory.ts';
import { memorySettingsOf } from './memory-settings.ts';
import type { Workspace } from './workspace.ts';

/** The memory of a project, opened: its stores, recall over them, and the projector. */
export interface ProjectMemory {
  readonly store: MemoryStore;
  readonly log: StoredEventLog;
  recall(question: string, options: RecallOptions): Promise<Recalled>;
  /** Brings notes and triples up to the log. */
  catchUp(more?: CatchUp): Promise<Projection>;
}

export interface CatchUp {
  readonly critic?: ChatModel | undefined;
  readonly scope?: Scope;
  readonly now?: () => Date;
  /** Leaves the rest to the next one after this time; all of it is done unless set. */
  readonly milliseconds?: number;
}

/** Opens the memory beside the log. The workspace closes it. @throws SoloistError `store_unusable`. */
export async function openProjectMemory(workspace: Workspace): Promise<ProjectMemory> {
  const [log, store] = await Promise.all([workspace.openLog(), workspace.openMemory()]);
  return {
    store,
    log,
    recall: async () => ({
      hits: [],
      mode: 'lexical',
      notices: [],
      belowFloor: 0,
      tokens: 0,
      cost: { milliseconds: 0, embeddingCalls: 0, embeddingTokens: 0 },
    }),
    catchUp: ({ critic, scope = new Scope(), now = () => new Date(), milliseconds }: CatchUp = {}) => {
      const until = milliseconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
      return project({
        notes: store.notes,
        triples: store.triples,
        cursor: store.cursor(PROJECTOR),
        verdicts: store.cursor(VERDICTS),
        reader: store.reader,
        readSession: (session) => log.read(session),
        append: (events: readonly Event[]) => log.append(events),
        mayWrite: (name) => mayWrite(workspace, name),
        retention: workspace.project.memory.retention ?? {},
        critic,
        scope,
        now,
        enough: () => performance.now() > until,
      });
    },
  };
}

/** Names of the readers that memory keeps over the log. */
export const PROJECTOR = 'projector';
export const VERDICTS = 'verdicts';

function mayWrite({ project: { agents, memory } }: Workspace, name: string): boolean {
  const agent = agents.find((one) => one.name === name);
  return agent !== undefined && memorySettingsOf(memory, agent).write;
}
