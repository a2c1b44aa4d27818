import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddingModel } from '../core/embedding-model.ts';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { ChatModel } from '../core/model.ts';
import type { Recalled, RecallOptions } from '../core/recall.ts';
import { Scope } from '../core/scope.ts';
import { keepVectors } from '../memory/index-vectors.ts';
import { lagOf, type Projection, type ProjectionLag, type ProjectorOptions, project } from '../memory/projector.ts';
import { recall } from '../memory/recall.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import type { MemoryStore } from '../store/open-memory.ts';
import { recordMemory } from './memory-record.ts';
import { expiredNotes } from './memory-retention.ts';
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
  /** The project's embedding model; nothing unless `models.embedding` names one. */
  embedding(): Promise<EmbeddingModel | undefined>;
  /** Closes what it opened itself; the stores are the workspace's. */
  close(): Promise<void>;
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
  const embedding = keepEmbedding(workspace);
  const { split: chosen } = workspace.project.memory;
  const price = workspace.project.models.embedding?.price?.input;
  const split = chosen === undefined ? {} : { split: chosen };
  return {
    store,
    log,
    recall: async (question, options) =>
      withMoney(await recall(question, { ...split, ...options, memory: store, scope: new Scope(), ...(await embedding.open()) }), price),
    catchUp: (more) => catchUp(workspace, { log, store }, more),
    embedding: async () => (await embedding.open()).embedding,
    close: embedding.close,
    lag: () => lagOf({ ...cursorsOf(store), reader: store.reader }),
  };
}

/** With what the embedding calls cost, at this price of a million tokens. */
function withMoney(recalled: Recalled, price: number | undefined): Recalled {
  const { cost } = recalled;
  return price === undefined || cost.embeddingCalls === 0
    ? recalled
    : { ...recalled, cost: { ...cost, money: (cost.embeddingTokens * price) / 1_000_000 } };
}

/** The embedding model, opened when first asked for. */
function keepEmbedding({ project: { models }, environment }: Workspace) {
  let opened: Promise<EmbeddingModel> | undefined;
  return {
    open: async (): Promise<{ embedding?: EmbeddingModel }> => {
      if (!models.embedding) return {};
      opened ??= import('../models/resolve-embedding-model.ts').then(({ resolveEmbeddingModel }) =>
        resolveEmbeddingModel('embedding', models, environment),
      );
      return { embedding: await opened };
    },
    close: async () => {
      await (await opened)?.close();
    },
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
    // Somebody who forgot or cleaned was killed before the end: what is left of it is made anew.
    const owed = !fromStart && store.corrections.owesVacuum();
    if (fromStart || owed) {
      cursors.cursor.reset();
      store.notes.clear();
      store.triples.clear();
    }
    const options: ProjectorOptions = {
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
    };
    const projection = await project(options);
    if (projection.events > 0 && projection.lag.events === 0) keepVectors(store.vectors);
    if (owed) store.corrections.vacuum();
    const ids = expiredNotes(store.notes, options.retention, now().getTime());
    if (ids.length === 0) return projection;
    recordMemory({ log }, { type: 'notes.archived', ids, why: 'expired' }, now());
    return { ...(await project(options)), written: projection.written };
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
