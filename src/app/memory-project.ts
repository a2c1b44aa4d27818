import { setTimeout as pause } from 'node:timers/promises';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { ChatModel } from '../core/model.ts';
import type { Recalled, RecallOptions } from '../core/recall.ts';
import { Scope } from '../core/scope.ts';
import { lagOf, type Projection, type ProjectionLag, project } from '../memory/projector.ts';
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
  lag(): ProjectionLag;
}

export interface CatchUp {
  readonly critic?: ChatModel | undefined;
  readonly scope?: Scope;
  readonly now?: () => Date;
  /** Leaves the rest to the next one after this time; all of it is done unless set. */
  readonly milliseconds?: number;
  /** Whether closed sessions are looked at; where a critic is named, only with it unless set. */
  readonly think?: boolean;
  /** Empties notes and triples first, and makes them again from the log. */
  readonly fromStart?: boolean;
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
    catchUp: (more) => catchUp(workspace, { log, store }, more),
    lag: () => lagOf({ ...cursorsOf(store), reader: store.reader }),
  };
}

/** Under a lock of its own, so that nobody projects while another begins from the start. */
async function catchUp(
  workspace: Workspace,
  { log, store }: Pick<ProjectMemory, 'log' | 'store'>,
  more: CatchUp = {},
): Promise<Projection> {
  const { critic, scope = new Scope(), now = () => new Date(), milliseconds, fromStart = false, think } = more;
  const until = milliseconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + milliseconds;
  const cursors = cursorsOf(store);
  const release = await holdWhenFree(log);
  if (!release) return { written: [], events: 0, lag: lagOf({ ...cursors, reader: store.reader }) };
  try {
    if (fromStart) {
      cursors.cursor.reset();
      store.notes.clear();
      store.triples.clear();
    }
    return await project({
      ...cursors,
      notes: store.notes,
      triples: store.triples,
      reader: store.reader,
      readSession: (session) => log.read(session),
      append: (events: readonly Event[]) => log.append(events),
      mayWrite: (name) => mayWrite(workspace, name),
      retention: workspace.project.memory.retention ?? {},
      think: think ?? (critic !== undefined || workspace.project.models.critic === undefined),
      critic,
      scope,
      now,
      enough: () => performance.now() > until,
    });
  } finally {
    release();
  }
}

const PROJECTION = 'memory-projection';
const WAIT_MS = 10_000;
const RETRY_MS = 20;

/** Nothing where another process projects for longer than is worth waiting: it does our part too, or the next one does. */
async function holdWhenFree(log: StoredEventLog): Promise<(() => void) | undefined> {
  for (const until = performance.now() + WAIT_MS; ; await pause(RETRY_MS)) {
    try {
      return log.holdSession(PROJECTION);
    } catch (error) {
      if (!(error instanceof SoloistError) || error.code !== 'refused') throw error;
      if (performance.now() > until) return undefined;
    }
  }
}

function cursorsOf(store: MemoryStore) {
  return { cursor: store.cursor('projector'), sessions: store.cursor('sessions'), verdicts: store.cursor('verdicts') };
}

function mayWrite({ project: { agents, memory } }: Workspace, name: string): boolean {
  const agent = agents.find((one) => one.name === name);
  return agent !== undefined && memorySettingsOf(memory, agent).write;
}
