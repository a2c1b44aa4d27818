import { open } from 'node:fs/promises';
import { gunzipSync, constants as zlib } from 'node:zlib';
import { FileAccessError, type FileEntry, type Source, SourceChoiceError } from '../../src/core/source.ts';
import type { ToolContext } from '../../src/core/tool.ts';
import type { ToolWarning } from '../../src/core/tool-result.ts';
import { type ArtifactKind, detectArtifact, mayBeArtifact } from './detect-artifact.ts';

const MOST_OPENED = 5_000;
const END_BYTES = 16 * 1024;

/** A file of a known kind in a source. */
export interface Artifact {
  readonly source: string;
  readonly path: string;
  readonly kind: ArtifactKind;
  readonly bytes: number;
  readonly modified: Date;
  readonly absolutePath: string;
}

export interface FoundArtifacts {
  /** By source, then by path. */
  readonly artifacts: readonly Artifact[];
  readonly warnings: readonly ToolWarning[];
  /** False where not every file could be looked at. */
  readonly complete: boolean;
}

/**
 * The files of known kinds in one source or in all that have files, by their content.
 *
 * @throws SourceChoiceError when the source that is named has no files.
 */
export async function findArtifacts(
  context: ToolContext,
  wanted: { readonly source?: string | undefined; readonly path?: string | undefined; readonly kinds?: readonly ArtifactKind[] },
): Promise<FoundArtifacts> {
  const names = wanted.source === undefined ? context.sources.all.map(({ name }) => name) : [wanted.source];
  const artifacts: Artifact[] = [];
  const warnings: ToolWarning[] = [];
  let complete = true;
  for (const name of names) {
    const source = await openFiles(context, name, wanted.source !== undefined);
    if (!source?.files) continue;
    const listing = await source.files.list((wanted.path ?? '').replace(/^\.\//, ''));
    warnings.push(...listing.warnings);
    if (!listing.complete) complete = false;
    const candidates = listing.entries.filter(({ path, bytes }) => bytes > 0 && mayBeArtifact(path));
    if (candidates.length > MOST_OPENED) {
      complete = false;
      warnings.push({
        code: 'too_many_files',
        message: `${name}: only the first ${MOST_OPENED} of ${candidates.length} files were looked at; narrow it with "path"`,
      });
    }
    for (const entry of candidates.slice(0, MOST_OPENED)) {
      if (context.scope.stopped) return { artifacts, warnings, complete: false };
      const found = await look(source, entry);
      if (found === 'unreadable') {
        complete = false;
        warnings.push({ code: 'unreadable_file', message: `${entry.path} could not be read` });
      } else if (found && (!wanted.kinds || wanted.kinds.includes(found.kind))) artifacts.push(found);
    }
  }
  return { artifacts, warnings, complete };
}

async function openFiles(context: ToolContext, name: string, named: boolean): Promise<Source | undefined> {
  try {
    return await context.sources.pick('files', name);
  } catch (error) {
    if (error instanceof SourceChoiceError && !named) return undefined;
    throw error;
  }
}

async function look(source: Source, entry: FileEntry): Promise<Artifact | 'unreadable' | undefined> {
  try {
    const absolutePath = (await source.files?.resolve(entry.path)) ?? '';
    const kind = detectArtifact(entry.path, await readEnds(absolutePath, entry.bytes));
    return kind && { source: source.name, kind, path: entry.path, bytes: entry.bytes, modified: entry.modified, absolutePath };
  } catch (error) {
    if (error instanceof FileAccessError || (error as NodeJS.ErrnoException).code !== undefined) return 'unreadable';
    throw error;
  }
}

/** Text of the first and the last bytes; of a gzip file its first bytes unpacked. */
async function readEnds(path: string, bytes: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(Math.min(END_BYTES, bytes));
    await handle.read(head, 0, head.length, 0);
    if (head[0] === 0x1f && head[1] === 0x8b) return unpackHead(head);
    const rest = Math.min(END_BYTES, Math.max(0, bytes - head.length));
    const tail = Buffer.alloc(rest);
    if (rest > 0) await handle.read(tail, 0, rest, bytes - rest);
    return `${head.toString('latin1')}\n${tail.toString('latin1')}`;
  } finally {
    await handle.close();
  }
}

function unpackHead(head: Buffer): string {
  try {
    return gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH }).toString('latin1', 0, END_BYTES);
  } catch {
    return '';
  }
}
