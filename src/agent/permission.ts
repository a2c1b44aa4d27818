import type { Permissions } from '../core/agent-spec.ts';
import type { Tool } from '../core/tool.ts';

export type Verdict = 'allow' | 'ask' | 'deny';

/** What the lists say of a tool: deny is looked at first, then ask, then allow; unnamed, a tool that only reads may run, one that writes asks. */
export function permissionFor(tool: Pick<Tool, 'name' | 'effect'>, permissions: Permissions): Verdict {
  if (matches(permissions.deny, tool.name)) return 'deny';
  if (matches(permissions.ask, tool.name)) return 'ask';
  if (matches(permissions.allow, tool.name)) return 'allow';
  return tool.effect === 'read' ? 'allow' : 'ask';
}

function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name));
}
