import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { FileAccessError, type FileEntry, type FileTree } from '../core/source.ts';
import type { ToolWarning } from '../core/tool-result.ts';

const MOST_FILES = 200_000;
/** Links to folders of the tree: what is in them is listed where it lies. */
const LEAVES_NOTHING_OUT: ReadonlySet<string> = new Set(['link_loop', 'linked_folder']);

/**
 * A folder (or one file) as a tree that nothing leaves: every path is resolved through its links and refused when it
 * ends outside the root.
 *
 * @throws FileAccessError when `path` is missing or unreadable.
 */
export async function openFileTree(path: string): Promise<FileTree> {
  const real = await realpath(path).catch(() => {
    throw new FileAccessError('missing', `${path} does not exist`);
  });
  const info = await stat(real);
  const root = info.isDirectory() ? real : resolve(real, '..');
  const only = info.isDirectory() ? undefined : relative(root, real);
  return {
    root,
    list: (prefix = '') => listFiles(root, only, prefix),
    resolve: (file) => resolveInside(root, file),
  };
}

async function listFiles(root: string, only: string | undefined, prefix: string): ReturnType<FileTree['list']> {
  const entries: FileEntry[] = [];
  const warnings: ToolWarning[] = [];
  if (only !== undefined) {
    const info = await stat(join(root, only));
    return { entries: only.startsWith(prefix) ? [{ path: only, bytes: info.size, modified: info.mtime }] : [], warnings, complete: true };
  }
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const child of await readFolder(root, folder, warnings)) {
      const path = folder ? `${folder}/${child.name}` : child.name;
      if (child.isDirectory()) {
        if (path.startsWith(prefix) || prefix.startsWith(`${path}/`)) folders.push(path);
      } else if (path.startsWith(prefix)) {
        const entry = await fileEntry(root, path, child, warnings);
        if (entry) entries.push(entry);
      }
      if (entries.length >= MOST_FILES) {
        warnings.push({ code: 'too_many_files', message: `only the first ${MOST_FILES} files were listed` });
        return { entries: sortByPath(entries), warnings, complete: false };
      }
    }
  }
  const complete = warnings.every(({ code }) => LEAVES_NOTHING_OUT.has(code));
  return { entries: sortByPath(entries), warnings, complete };
}

function sortByPath(entries: FileEntry[]): FileEntry[] {
  return entries.sort((left, right) => (left.path < right.path ? -1 : 1));
}

async function readFolder(root: string, folder: string, warnings: ToolWarning[]): Promise<Dirent[]> {
  try {
    return await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    warnings.push({ code: 'unreadable_folder', message: `${folder || '.'}: ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}` });
    return [];
  }
}

async function fileEntry(root: string, path: string, child: Dirent, warnings: ToolWarning[]): Promise<FileEntry | undefined> {
  try {
    const leads = child.isSymbolicLink() ? await followLink(root, path) : undefined;
    if (leads) {
      warnings.push(leads);
      return undefined;
    }
    const absolute = child.isSymbolicLink() ? await resolveInside(root, path) : join(root, path);
    const info = await stat(absolute);
    return info.isFile() ? { path, bytes: info.size, modified: info.mtime } : undefined;
  } catch (error) {
    warnings.push({ code: 'unreadable_file', message: `${path}: ${error instanceof Error ? error.message : 'unreadable'}` });
    return undefined;
  }
}

/** What is to be said of a link that leads to no file: in circles, or to a folder that is listed where it lies. */
async function followLink(root: string, path: string): Promise<ToolWarning | undefined> {
  const absolute = join(root, path);
  const real = await realpath(absolute).catch((error: NodeJS.ErrnoException) => error.code);
  if (real === 'ELOOP') return { code: 'link_loop', message: `${path} is a link that leads back to itself: nothing is behind it` };
  if (real === undefined || !isInside(root, real)) return undefined;
  const info = await stat(real).catch(() => undefined);
  if (!info?.isDirectory()) return undefined;
  const target = relative(root, real) || '.';
  return isInside(real, absolute)
    ? { code: 'link_loop', message: `${path} is a link that leads back to ${target}, a folder above it: not followed` }
    : { code: 'linked_folder', message: `${path} is a link to the folder ${target}: its files are listed there` };
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function resolveInside(root: string, file: string): Promise<string> {
  if (file.includes('\0')) throw new FileAccessError('outside', 'a path holds a zero byte');
  const wanted = isAbsolute(file) ? file : resolve(root, file);
  const real = await realpath(wanted).catch(() => undefined);
  if (!isInside(root, real ?? wanted)) throw new FileAccessError('outside', `${file} is outside the source's folder`);
  if (real === undefined) throw new FileAccessError('missing', `${file} does not exist in the source's folder`);
  const info = await stat(real).catch(() => undefined);
  if (!info) throw new FileAccessError('unreadable', `${file} cannot be read`);
  if (!info.isFile())
    throw new FileAccessError('not_a_file', `${file} is ${info.isDirectory() ? 'a folder' : 'a pipe, socket or device'}, not a file`);
  return real;
}
