import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Scope } from '../../../src/core/scope.ts';
import type { Source } from '../../../src/core/source.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import type { ToolOutcome } from '../../../src/core/tool-result.ts';
import { openLogsSource } from '../../../src/sources/logs/open-logs-source.ts';

/** Runs a log tool over a folder, with its input checked as the loop checks it. */
export async function runOnFolder<Data>(
  tool: Tool,
  folder: string,
  input: Record<string, unknown> = {},
  scope = new Scope(),
): Promise<ToolOutcome<Data>> {
  const source: Source = await openLogsSource({ name: 'logs', kind: 'logs', paths: [folder] }, { scratch: tmpdir() });
  const context: ToolContext = {
    sources: { all: [{ name: 'logs', kind: 'logs' }], pick: async () => source, withCapability: async () => [source] },
    scope,
    now: () => new Date('2026-03-03T00:00:00Z'),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
  };
  return (await tool.run(tool.input.parse(input) as Record<string, unknown>, context)) as ToolOutcome<Data>;
}

export async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'soloist-logs-'));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
