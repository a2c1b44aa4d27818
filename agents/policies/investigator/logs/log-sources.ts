import type { Play } from '../../../../src/core/policy.ts';
import type { FoundArtifacts } from '../artifacts/found-artifacts.ts';
import { callIfOffered, usable } from '../part-report.ts';
import { read } from '../read-data.ts';

/**
 * The sources to be read as logs: those of that kind; without any, the folders of files that hold files called logs, or records
 * of a scheduler.
 */
export async function logSources(play: Play, found: FoundArtifacts): Promise<readonly string[]> {
  const declared = play.sources.filter(({ kind }) => kind === 'logs').map(({ name }) => name);
  const folders = play.sources.filter(({ kind }) => kind === 'files').map(({ name }) => name);
  if (declared.length > 0 || folders.length === 0) return declared;
  const listings = await Promise.all(folders.map((source) => callIfOffered(play, 'list_files', { source, limit: 1 })));
  const named = listings.filter(usable).flatMap((listing) => {
    const data = read(listing.data);
    const holdsLogs = data
      .at('extensions')
      .entries()
      .some(([extension]) => /^(log|out|err|log\.gz)$/.test(extension));
    return holdsLogs ? [data.text('source') ?? ''] : [];
  });
  const stored = found.kinds.filter(({ kind }) => kind === 'dagster_events').map(({ source }) => source);
  return [...new Set([...named, ...stored.filter((source) => folders.includes(source))])];
}
