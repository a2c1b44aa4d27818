import type { Source } from '../../core/source.ts';
import type { SourceEnvironment, SourceSpec } from '../../core/source-spec.ts';
import { openFileTree } from '../file-tree.ts';

/**
 * A folder of logs, or one log file, read in place and never copied.
 *
 * @throws FileAccessError when the path is missing or unreadable.
 */
export async function openLogsSource(spec: SourceSpec, _environment: SourceEnvironment): Promise<Source> {
  const [path = ''] = spec.paths;
  const files = await openFileTree(path);
  return {
    name: spec.name,
    kind: 'logs',
    location: path,
    files,
    hasLogs: true,
    async check() {
      const { entries, complete } = await files.list();
      const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
      if (entries.length === 0) return { ok: false, summary: 'no files', fix: `put log files below ${path}, or name another folder` };
      const unread = complete ? '' : ', and places that could not be read';
      return { ok: true, summary: `${entries.length} files, ${bytes} bytes${unread}` };
    },
    async close() {},
  };
}
