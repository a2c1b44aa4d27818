import { readFileSync } from 'node:fs';
import type { Problem } from '../core/errors.ts';
import type { Tool } from '../core/tool.ts';
import { withCheckedOutput } from './check-output.ts';
import { labelOf } from './find-files.ts';
import { importModule } from './import-module.ts';

export interface LoadedTool {
  readonly tool: Tool;
  readonly file: string;
}

/**
 * Imports the user's tool files; every export made with `defineTool` counts, and its results are held to its declared
 * output. A file that throws, or holds no tool, and a name that was taken before are problems; the rest still loads.
 */
export async function loadToolFiles(
  paths: readonly string[],
  cwd: string = process.cwd(),
): Promise<{ readonly tools: readonly LoadedTool[]; readonly problems: readonly Problem[] }> {
  const tools: LoadedTool[] = [];
  const problems: Problem[] = [];
  for (const file of paths) {
    const label = labelOf(file, cwd);
    try {
      const found = toolsIn(await importModule(file));
      if (found.length === 0)
        problems.push({ where: `${label}:1:1`, fact: 'the file exports no tool', fix: 'export one made with defineTool' });
      for (const tool of found) {
        const taken = tools.find((other) => other.tool.name === tool.name);
        if (!taken) tools.push({ tool: withCheckedOutput(tool), file });
        else {
          const fact = `tool "${tool.name}" is already defined in ${labelOf(taken.file, cwd)}`;
          problems.push({ where: nameWhere(file, label, tool.name), fact, fix: 'rename one of them' });
        }
      }
    } catch (error) {
      problems.push(importProblem(error, file, label));
    }
  }
  return { tools, problems };
}

function toolsIn(module: Readonly<Record<string, unknown>>): Tool[] {
  return [...new Set(Object.values(module))].filter(isTool);
}

function isTool(value: unknown): value is Tool {
  if (typeof value !== 'object' || value === null) return false;
  const tool = value as Partial<Tool>;
  return (
    typeof tool.name === 'string' &&
    typeof tool.description === 'string' &&
    (tool.effect === 'read' || tool.effect === 'write') &&
    typeof tool.parameters === 'object' &&
    typeof tool.run === 'function'
  );
}

/** Where the name stands in the file's text, else the file's start. */
export function nameWhere(file: string, label: string, name: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  const index = lines.findIndex((line) => line.includes(`'${name}'`) || line.includes(`"${name}"`));
  return index < 0 ? `${label}:1:1` : `${label}:${index + 1}:${(lines[index] ?? '').indexOf(name) + 1}`;
}

function importProblem(error: unknown, file: string, label: string): Problem {
  const message = error instanceof Error ? error.message : String(error);
  // The compiler counts columns from 0.
  const syntax = new RegExp(`${escaped(file)}[^:\\n]*:(\\d+):(\\d+): ERROR: (.*)`).exec(message);
  if (syntax)
    return {
      where: `${label}:${syntax[1]}:${Number(syntax[2]) + 1}`,
      fact: `the file cannot be read: ${syntax[3]}`,
      fix: 'correct the syntax',
    };
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const place = new RegExp(`${escaped(file)}[^:\\n]*:(\\d+)(?::(\\d+))?`).exec(stack);
  const where = place ? `${label}:${place[1]}:${place[2] ?? 1}` : `${label}:1:1`;
  return { where, fact: `the file fails when it is loaded: ${message.split('\n', 1)[0]}`, fix: 'correct it, or take it out of the tools' };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
