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

/** The strictest verdict of several lists: a child is never allowed what its caller is not. */
export function strictestVerdict(tool: Pick<Tool, 'name' | 'effect'>, lists: readonly Permissions[]): Verdict {
  const verdicts = lists.map((permissions) => permissionFor(tool, permissions));
  if (verdicts.includes('deny')) return 'deny';
  if (verdicts.includes('ask')) return 'ask';
  return verdicts.length > 0 || tool.effect === 'read' ? 'allow' : 'ask';
}

function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name));
}
