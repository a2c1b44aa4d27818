import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Scope } from '../../../src/core/scope.ts';
import type { SourceSpec } from '../../../src/core/source-spec.ts';
import type { Tool, ToolContext } from '../../../src/core/tool.ts';
import type { ToolOutcome } from '../../../src/core/tool-result.ts';
import { createSourceCatalog } from '../../../src/sources/source-catalog.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a tool answers is looked into here, field by field.
export type Data = Record<string, any>;

/** A temporary folder with these files: texts as they are, all else as JSON. */
export function makeFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-tools-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  }
  return folder;
}

export function dropFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a tool over one source as the loop does. */
export function callTool(tool: Tool, folder: string, input: Data = {}, kind: SourceSpec['kind'] = 'files'): Promise<ToolOutcome<Data>> {
  return callOverSources<Data>(tool, [{ name: 'data', kind, paths: [folder] }], input, folder);
}

/** Runs a tool as the loop does: input through its schema, the real catalog of sources, the output against its schema. */
export async function callOverSources<Result>(
  tool: Tool,
  specs: readonly SourceSpec[],
  input: Data,
  scratch = '',
): Promise<ToolOutcome<Result>> {
  const sources = createSourceCatalog(specs, { scratch });
  const context: ToolContext = {
    sources,
    scope: new Scope(),
    now: () => new Date('2026-03-18T00:00:00Z'),
    resultId: 'r1',
    resultIds: () => [],
    readReference: () => undefined,
  };
  try {
    return (await tool.run(tool.input.parse(input), context)) as ToolOutcome<Result>;
  } finally {
    await sources.close();
  }
}

/** The same over files that are made for the call and removed after it. */
export async function callOver(
  tool: Tool,
  files: Readonly<Record<string, unknown>>,
  input: Data = {},
  kind: SourceSpec['kind'] = 'files',
): Promise<ToolOutcome<Data>> {
  const folder = makeFolder(files);
  try {
    return await callTool(tool, folder, input, kind);
  } finally {
    dropFolder(folder);
  }
}
