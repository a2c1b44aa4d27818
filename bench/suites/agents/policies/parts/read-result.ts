import type { Play, ToolResult } from 'soloist';

type Data = Readonly<Record<string, unknown>>;

/** The data of a result as plain keys. */
export function dataOf(result: ToolResult): Data {
  return (result.data ?? {}) as Data;
}

export function listOf(result: ToolResult, key: string): readonly Data[] {
  const list = dataOf(result)[key];
  return Array.isArray(list) ? (list as Data[]) : [];
}

/** A child's conclusion as its caller gets it. */
export interface Conclusion {
  readonly id: string;
  readonly status: string;
  readonly text: string;
}

export interface ChildTask {
  readonly goal: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** All tasks in one call of a subagent; its conclusions in task order. */
export async function askChildren(
  play: Play,
  { agent, why, because }: { readonly agent: string; readonly why: string; readonly because: string },
  tasks: readonly ChildTask[],
): Promise<readonly Conclusion[]> {
  const result = await play.call(agent, { tasks, why, because });
  return listOf(result, 'conclusions').map(({ id, status, text }) => ({ id: String(id), status: String(status), text: String(text) }));
}
