import { Scope } from '../../../src/core/scope.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import type { ToolOutcome } from '../../../src/core/tool-result.ts';
import { createSourceCatalog } from '../../../src/sources/source-catalog.ts';

/** Runs a tool over the sources given, as the loop would: arguments through the schema, the real catalog. */
export async function runTool<Data = Record<string, unknown>>(
  tool: Tool,
  folders: Readonly<Record<string, string>>,
  input: Record<string, unknown>,
): Promise<ToolOutcome<Data>> {
  const specs = Object.entries(folders).map(([name, path]) => ({ name, kind: 'airflow-export' as const, paths: [path] }));
  const sources = createSourceCatalog(specs, { scratch: '' });
  const context: ToolContext = {
    sources,
    scope: new Scope(),
    now: () => new Date('2026-03-18T00:00:00Z'),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
  };
  try {
    return (await tool.run(tool.input.parse(input), context)) as ToolOutcome<Data>;
  } finally {
    await sources.close();
  }
}
