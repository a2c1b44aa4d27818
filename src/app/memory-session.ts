import type { Recorder } from '../agent/recorder.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { LogIndexer } from '../core/memory-index.ts';
import type { ChatModel } from '../core/model.ts';
import type { Scope } from '../core/scope.ts';
import type { Task } from '../core/task.ts';
import type { WrittenNote } from '../memory/projector.ts';
import { recallBackground } from './memory-background.ts';
import { embedInPassing } from './memory-embed.ts';
import { openProjectMemory, type ProjectMemory } from './memory-project.ts';
import { memorySettingsOf } from './memory-settings.ts';
import type { Workspace } from './workspace.ts';

/** What a session before ours may still have left undone when it was killed. */
const BEFORE_MS = 2_000;
const AFTER_MS = 60_000;
/** Ends the wait at the end of a command; the next session goes on from there. */
const INDEXING_MS = 2_000;
const INDEXED_AT_ONCE = 500;

export interface SessionMemory {
  readonly workspace: Workspace;
  /** Absent where the session is told to go without. */
  readonly opened: OpenedMemory | undefined;
  readonly agent: AgentSpec;
  readonly session: string;
  readonly recorder: Recorder;
  readonly scope: Scope;
  readonly now: () => Date;
  readonly critic: () => Promise<ChatModel | undefined>;
}

/** The task with what memory holds on it; memory that cannot be used is told and costs the run nothing else. */
export async function taskWithBackground(question: string, session: SessionMemory): Promise<Task> {
  const { opened, workspace, recorder, agent, now } = session;
  if (!opened) return { goal: question };
  const { memory, problem } = opened;
  if (problem) notUsable(problem, recorder);
  try {
    // With a critic the facts of earlier sessions wait for it, at the end of this one.
    if (memory && !workspace.project.models.critic) await memory.catchUp({ scope: session.scope, now, milliseconds: BEFORE_MS });
    const { text, event } = await recallBackground({ workspace, memory, agent, question, session: session.session, now });
    recorder.record(event);
    return text === '' ? { goal: question } : { goal: question, background: text };
  } catch (error) {
    notUsable(error, recorder);
    return { goal: question };
  }
}

/** After the closing event: what this session concluded becomes notes, through the gate. Answers those of this session. */
export async function leaveNotes(session: SessionMemory): Promise<readonly WrittenNote[]> {
  const { opened, scope, now, recorder } = session;
  if (!opened?.memory) return [];
  const { memory } = opened;
  try {
    const { written } = await memory.catchUp({ critic: await session.critic(), think: true, scope, now, milliseconds: AFTER_MS });
    const notice = await embedInPassing(memory, now(), scope);
    if (notice) tell(recorder, 'notes_not_embedded', notice);
    return written.filter((note) => note.session === session.session);
  } catch (error) {
    notUsable(error, recorder);
    return [];
  }
}

/** Whatever is wrong with memory, the answer of the run is worth more. */
function notUsable(error: unknown, recorder: Recorder): void {
  const message = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error);
  tell(recorder, 'memory_unusable', `memory could not be used: ${message}`);
}

function tell(recorder: Recorder, code: string, message: string): void {
  recorder.record({ type: 'model.noticed', notice: { code, message } });
  recorder.flush();
}

/** The memory of a session as it could be opened. */
export interface OpenedMemory {
  readonly memory?: ProjectMemory;
  /** Why it could not be. */
  readonly problem?: unknown;
}

/** The memory of a session, where any of its agents uses one. Never rejects: what is wrong with it is told once the session is open. */
export async function openSessionMemory(workspace: Workspace, agent: AgentSpec): Promise<OpenedMemory> {
  if (!usesMemory(workspace, agent)) return {};
  try {
    const memory = await openProjectMemory(workspace);
    // Else the next session would wait for it before its first turn.
    workspace.later('log-index', () => indexWithin(memory.store.indexer, INDEXING_MS));
    return { memory };
  } catch (problem) {
    return { problem };
  }
}

const MEMORY_TOOLS: ReadonlySet<string> = new Set(['remember', 'recall', 'graph_add', 'graph_walk', 'scratchpad', 'read_skill']);

/** Whether the agent, or one that it may call, recalls, writes, or has a tool of memory. */
function usesMemory(workspace: Workspace, agent: AgentSpec, seen: ReadonlySet<string> = new Set()): boolean {
  const { recall, write } = memorySettingsOf(workspace.project.memory, agent);
  if (recall || write || agent.tools.some((pattern) => pattern.endsWith('*') || MEMORY_TOOLS.has(pattern))) return true;
  const known = new Set([...seen, agent.name]);
  return agent.subagents.some((below) => !known.has(below.agent) && usesMemory(workspace, workspace.agent(below.agent), known));
}

function indexWithin(indexer: LogIndexer, milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until && indexer.fill(INDEXED_AT_ONCE).lag > 0);
}
