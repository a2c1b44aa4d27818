import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogPlace, Note, NoteWrite } from '../../src/core/note.ts';
import type { Recalled } from '../../src/core/recall.ts';
import { Scope } from '../../src/core/scope.ts';
import { type RecallRequest, recall } from '../../src/memory/recall.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';
import { type MemoryStore, openMemory } from '../../src/store/open-memory.ts';

const DAY_MS = 86_400_000;
/** 4 May 2026. */
export const DAY_ONE = Date.UTC(2026, 4, 4, 9);

const folders: string[] = [];
const stores: MemoryStore[] = [];

export function cleanUpMemories(): void {
  for (const store of stores.splice(0)) store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A memory that is told things day by day; removed by {@link cleanUpMemories}. */
export interface TalkingMemory {
  readonly store: MemoryStore;
  readonly folder: string;
  /** Appends a session in which these texts were replied, and answers where each stands. */
  session(day: number, texts: readonly string[], id?: string): readonly LogPlace[];
  note(key: string, text: string, more?: Partial<NoteWrite> & { day?: number }): Note;
  ask(question: string, more?: Partial<RecallRequest>): Promise<Recalled>;
}

export async function openTalkingMemory(tenant = 'local', folder = mkdtempSync(join(tmpdir(), 'soloist-memory-'))): Promise<TalkingMemory> {
  folders.push(folder);
  const log = await openEventLog({ folder, tenant });
  const store = await openMemory({ folder, tenant });
  stores.push(store, { ...store, close: () => log.close() });
  let sessions = 0;
  return {
    store,
    folder,
    session: (day, texts, id = `s-${++sessions}`) => {
      const at = DAY_ONE + day * DAY_MS;
      const places = texts.map((_, sequence) => ({ session: id, agent: 'main', step: sequence, sequence }));
      const usage = { inputTokens: 0, outputTokens: 0, wallMs: 0 } as never;
      log.append(
        texts.map((content, place) => ({
          ...(places[place] as LogPlace),
          round: 1,
          at,
          body: { type: 'model.replied', message: { role: 'assistant', content }, finish: 'stop', usage },
        })),
      );
      return places;
    },
    note: (key, text, { day = 0, ...more } = {}) => {
      const written = store.notes.write({
        ...{ key, text, kind: 'bug', agent: 'investigator', at: DAY_ONE + day * DAY_MS, provenance: [], judged: true },
        verdict: store.notes.current(key).length === 0 || store.notes.isMultiValued(key) ? 'new' : 'update',
        expectedVersion: store.notes.version(key),
        ...more,
      });
      if (!written.ok) throw new Error('the note was not written');
      return written.note;
    },
    ask: (question, more = {}) =>
      recall(question, { memory: store, scope: new Scope(), now: DAY_ONE + 42 * DAY_MS, budgetTokens: 1000, ...more }),
  };
}
