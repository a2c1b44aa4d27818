import type { AgentSpec } from '../core/agent-spec.ts';
import type { MemorySettings } from '../core/project.ts';

/** What an agent may do with memory. A project's no holds for all its agents. */
export interface AgentMemorySettings {
  readonly recall: boolean;
  readonly write: boolean;
  /** `agent`: it sees only notes that it wrote itself. */
  readonly scope: 'project' | 'agent';
}

/** Recall is on and writing is off, unless the agent's file or the project's says otherwise. */
export function memorySettingsOf(project: MemorySettings, { memory = {} }: Pick<AgentSpec, 'memory'>): AgentMemorySettings {
  return {
    recall: project.recall !== false && (memory.recall ?? true),
    write: project.write !== false && (memory.write ?? project.write ?? false),
    scope: memory.scope ?? (project.scope === 'agent' ? 'agent' : 'project'),
  };
}
