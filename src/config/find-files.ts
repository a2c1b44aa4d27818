import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { Reference } from './yaml-document.ts';

export const AGENT_ENDINGS = ['.yaml', '.yml'];
export const TOOL_ENDINGS = ['.ts', '.mts', '.js', '.mjs'];
export const SKILL_ENDINGS = ['.md'];

/** Files behind paths that may be files or folders (not the folders below), sorted within each. */
export interface FoundFiles {
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
}

/** @param folder what the references are relative to */
export function findFiles(references: readonly Reference[], folder: string, endings: readonly string[]): FoundFiles {
  const files = new Set<string>();
  const problems: Problem[] = [];
  for (const { text, shown, where } of references) {
    const path = resolve(folder, text);
    const entry = statSync(path, { throwIfNoEntry: false });
    if (!entry)
      problems.push({ where, fact: `there is no file or folder "${shown}"`, fix: text === shown ? nearestEntry(path) : 'check the path' });
    else if (entry.isDirectory()) for (const file of filesIn(path, endings)) files.add(file);
    else if (endings.includes(extname(path))) files.add(path);
    else problems.push({ where, fact: `"${shown}" has none of the endings ${endings.join(', ')}`, fix: 'name such a file, or a folder' });
  }
  return { files: [...files], problems };
}

/** Files of a folder with one of the endings, sorted; none when the folder does not exist. Type declarations and tests are left out. */
export function filesIn(folder: string, endings: readonly string[]): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder)
    .filter((name) => endings.includes(extname(name)) && !name.startsWith('.') && !/\.(d|test|spec)\.[cm]?[jt]s$/.test(name))
    .sort()
    .map((name) => join(folder, name));
}

function nearestEntry(path: string): string {
  try {
    return suggestName(basename(path), readdirSync(dirname(path)));
  } catch {
    return 'the folder above it does not exist either';
  }
}

/** How a file is named in messages: relative to where the user stands if it lies below, else absolute. */
export function labelOf(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path === '' || path.startsWith('..') ? file : path.replaceAll('\\', '/');
}
