import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shelve } from '../../src/agent/load-tools.ts';
import { Recorder } from '../../src/agent/recorder.ts';
import { runAgent } from '../../src/agent/run-agent.ts';
import type { Summarise } from '../../src/agent/window.ts';
import { DEFAULT_LIMITS, type Limits, type LoadTools, type Permissions } from '../../src/core/agent-spec.ts';
import type { Approve } from '../../src/core/approval.ts';
import type { Conclusion } from '../../src/core/conclusion.ts';
import type { Event } from '../../src/core/event.ts';
import type { ChatModel } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';
import type { Tool } from '../../src/core/tool.ts';
import { createSourceCatalog } from '../../src/sources/source-catalog.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';

export interface ScriptedRun {
  readonly model: ChatModel;
  readonly tools: readonly Tool[];
  readonly limits?: Partial<Limits>;
  readonly permissions?: Partial<Permissions>;
  readonly approve?: Approve;
  readonly loadTools?: LoadTools;
  readonly summarise?: Summarise;
  readonly scope?: Scope;
  readonly work?: Scope;
  /** Told the types of the events of each commit. */
  readonly onCommit?: (types: readonly string[]) => void;
}

export interface ScriptedResult {
  readonly conclusion: Conclusion;
  readonly events: readonly Event[];
  /** The payloads that the events refer to, by hash. */
  readonly blobs: (hash: string) => string | undefined;
}

/** Runs the real loop on a scripted model with a real log in a temporary folder; answers the conclusion and the events read back from disk. */
export async function runScripted(run: ScriptedRun): Promise<ScriptedResult> {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-loop-'));
  const stored = await openEventLog({ folder, tenant: 'test' });
  const append = (events: readonly Event[]): void => {
    stored.append(events);
    run.onCommit?.(events.map(({ body }) => body.type));
  };
  const log = { ...stored, append };
  const scope = run.scope ?? new Scope();
  const now = (): Date => new Date('2026-03-17T06:00:00Z');
  const recorder = new Recorder({ log, session: 's-test', round: 1, agent: 'main', now, listeners: [] });
  const tools = new Map(run.tools.map((tool) => [tool.name, tool]));
  const shelf = run.loadTools && shelve(tools, run.loadTools, []);
  if (shelf) tools.set(shelf.tool.name, shelf.tool);
  const catalog = createSourceCatalog([], { scratch: folder });
  try {
    const conclusion = await runAgent({
      spec: { name: 'tester', limits: { ...DEFAULT_LIMITS, ...run.limits } },
      task: { goal: 'Do it.' },
      system: 'You test.',
      model: run.model,
      recorder,
      dispatcher: {
        agent: 'main',
        agentName: 'tester',
        tools,
        shelf,
        permissions: [{ allow: [], ask: [], deny: [], ...run.permissions }],
        sources: catalog,
        approve: run.approve,
        now,
        resultIds: () => recorder.state.resultIds,
        readReference: (reference) => log.getBlob(reference),
      },
      sources: [],
      ...(run.summarise ? { summarise: run.summarise } : {}),
      scope,
      work: run.work ?? new Scope(scope),
    });
    const events = [...log.read('s-test')];
    const hashes = events.flatMap(({ body }) => JSON.stringify(body).match(/[0-9a-f]{64}/g) ?? []);
    const kept = new Map(hashes.map((hash) => [hash, log.getBlob(hash)]));
    return { conclusion, events, blobs: (hash) => kept.get(hash) };
  } finally {
    log.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
