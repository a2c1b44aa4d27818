import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { formatProblem, type Problem, SoloistError } from '../../src/core/errors.ts';

const made: string[] = [];

/** A new temporary folder with these files; the path's folders are made. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'soloist-config-'));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export async function problemsOf(work: Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SoloistError && error.code === 'configuration') return error.problems;
    throw error;
  }
  return [];
}

export async function linesOf(work: Promise<unknown>): Promise<string[]> {
  return (await problemsOf(work)).map(formatProblem);
}

/** The smallest agent that loads. */
export function agentText(name: string, more = ''): string {
  return `name: ${name}\ninstructions: look\n${more}`;
}
