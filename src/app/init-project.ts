import { existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SoloistError } from '../core/errors.ts';
import { makeFolder } from '../store/make-folder.ts';
import { projectTemplates } from './project-templates.ts';

/**
 * Writes a small working project and answers the paths of its files, relative to the folder, which is made if need be.
 *
 * @throws SoloistError `refused` when one of the files is there already: then nothing is written; `usage` when the folder
 * cannot be written to.
 */
export function initProject(folder: string): readonly string[] {
  const schemas = schemaFolder();
  const templates = projectTemplates({
    project: schemaAddress(schemas, 'soloist.schema.json', folder),
    agent: schemaAddress(schemas, 'agent.schema.json', join(folder, 'agents')),
  });
  const present = templates.filter(({ path }) => existsSync(join(folder, path))).map(({ path }) => path);
  if (present.length > 0) {
    throw new SoloistError('usage', `nothing was written, since ${folder} already has ${present.join(', ')}`, {
      fix: 'choose an empty folder, or move these away',
    });
  }
  try {
    for (const { path, text } of templates) {
      makeFolder(dirname(resolve(folder, path)));
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new SoloistError('usage', `cannot write to ${folder} (${code})`, { fix: 'choose a folder you may write to', cause: error });
  }
  return templates.map(({ path }) => path);
}

/** The package's schemas: beside `src`, or beside the `dist` it was compiled to. */
function schemaFolder(): string {
  const folders = ['../../schemas/', '../../../schemas/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return folders.find((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory()) ?? (folders[0] as string);
}

/** Relative where the package is installed in the project, so that it holds for others too; else the absolute address. */
function schemaAddress(schemas: string, name: string, from: string): string {
  const path = relative(from, join(schemas, name)).split(sep).join('/');
  return /^(\.\.\/)?node_modules\//.test(path) ? (path.startsWith('.') ? path : `./${path}`) : pathToFileURL(join(schemas, name)).href;
}
