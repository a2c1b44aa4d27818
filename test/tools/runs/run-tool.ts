import type { Tool } from '../../../src/core/tool.ts';
import type { ToolOutcome } from '../../../src/core/tool-result.ts';
import { callOverSources } from '../artifacts/call-tool.ts';

/** Runs a tool over folders of exported pages, each a source by its name. */
export function runTool<Result = Record<string, unknown>>(
  tool: Tool,
  folders: Readonly<Record<string, string>>,
  input: Record<string, unknown>,
): Promise<ToolOutcome<Result>> {
  const specs = Object.entries(folders).map(([name, path]) => ({ name, kind: 'airflow-export' as const, paths: [path] }));
  return callOverSources<Result>(tool, specs, input);
}
