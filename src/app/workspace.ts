import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentSpec } from '../core/agent-spec.ts';
import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { OutputFolder, Webhooks } from '../core/output.ts';
import type { Project } from '../core/project.ts';
import type { Tool } from '../core/tool.ts';
import { createSourceCatalog, type OpenableCatalog } from '../sources/source-catalog.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import type { MemoryStore } from '../store/open-memory.ts';
import { homeFolder, ownMemoryOf } from './home-folder.ts';
import { openConfiguration } from './open-configuration.ts';
import { createOutputFolder } from './output-folder.ts';
import { createWebhooks } from './webhooks.ts';

export interface WorkspaceOptions {
  /** The project's folder; the current one unless named. */
  readonly folder: string;
  readonly sourceFlags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

/** A project opened for work: checked settings, tools, sources (opened when used), and the log. */
export interface Workspace {
  readonly project: Project;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly catalog: OpenableCatalog;
  readonly environment: NodeJS.ProcessEnv;
  /** Where reports and checks are written: the project's folder, or the log's where there is only data. */
  readonly folder: OutputFolder;
  readonly webhooks: Webhooks;
  /** The folder of the log database. */
  readonly home: string;
  agent(name: string): AgentSpec;
  openLog(): Promise<StoredEventLog>;
  /** Notes and indexes over the same database, on a connection of their own. */
  openMemory(): Promise<MemoryStore>;
  /** Work that can wait until the answer is out, once for each name: done when the workspace closes. Never throws there. */
  later(name: string, work: () => void): void;
  close(): Promise<void>;
}

/** Whose log and notes these are: one machine serves one. */
const TENANT = 'local';

/** @throws SoloistError `configuration` with every problem of every file. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { project, tools } = await openConfiguration(options);
  const scratch = mkdtempSync(join(tmpdir(), 'soloist-'));
  const removeScratch = (): void => rmSync(scratch, { recursive: true, force: true });
  process.once('exit', removeScratch);
  const catalog = createSourceCatalog(project.sources, { scratch });
  const home = homeFolder(project.folder, options.environment);
  const patterns = project.memory.redact ?? [];
  const memoryName = project.memory.scope === 'home' ? undefined : ownMemoryOf(project.folder, home);
  const synchronous = project.memory.synchronous === 'full' ? ('FULL' as const) : ('NORMAL' as const);
  const whose = { folder: home, tenant: TENANT, memory: memoryName, synchronous };
  let log: Promise<StoredEventLog> | undefined;
  let memory: Promise<MemoryStore> | undefined;
  const laterWork = new Map<string, () => void>();
  return {
    project,
    tools,
    catalog,
    environment: options.environment,
    home,
    folder: createOutputFolder(project.file === undefined ? home : project.folder),
    webhooks: createWebhooks(project.webhooks),
    agent: (name) => findAgent(project, name),
    openLog: () => {
      log ??= import('../store/open-event-log.ts').then(({ openEventLog }) => openEventLog({ ...whose, patterns }));
      return log;
    },
    openMemory: () => {
      memory ??= import('../store/open-memory.ts').then(({ openMemory }) => openMemory(whose));
      return memory;
    },
    later: (name, work) => laterWork.set(name, work),
    close: async () => {
      await catalog.close();
      for (const work of laterWork.values()) quietly(work);
      laterWork.clear();
      if (memory) (await memory.catch(() => undefined))?.close();
      if (log) (await log.catch(() => undefined))?.close();
      process.removeListener('exit', removeScratch);
      removeScratch();
    },
  };
}

/** What could not be done now is done by the next session. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {}
}

function findAgent(project: Project, name: string): AgentSpec {
  const agent = project.agents.find((candidate) => candidate.name === name);
  if (agent) return agent;
  const names = project.agents.map((candidate) => candidate.name);
  throw new SoloistError('usage', `there is no agent "${name}"`, { fix: suggestName(name, names) });
}
