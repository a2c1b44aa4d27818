import { type FileTree, type SourceCatalog, SourceChoiceError } from '../../src/core/source.ts';

/** The folder of the source that was named, or of the only one that has files. */
export async function openTextSource(
  sources: SourceCatalog,
  name: string | undefined,
): Promise<{ readonly name: string; readonly files: FileTree } | { readonly refusal: string }> {
  try {
    const source = await sources.pick('files', name);
    return source.files ? { name: source.name, files: source.files } : { refusal: `source "${source.name}" has no files` };
  } catch (error) {
    if (error instanceof SourceChoiceError) return { refusal: error.message };
    throw error;
  }
}
