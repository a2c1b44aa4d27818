import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configurationError } from '../config/load-project.ts';
import { projectSources } from '../config/project-sources.ts';
import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import type { SourceSpec } from '../core/source-spec.ts';
import { createSourceCatalog } from '../sources/source-catalog.ts';
import type { StoredEventLog } from '../store/open-event-log.ts';
import type { Workspace } from './workspace.ts';

export interface CaseSources {
  /** Of the case, as `--source` takes them, with absolute paths. */
  readonly flags: readonly string[];
  readonly log: StoredEventLog;
}

/**
 * The suite's workspace with the sources of a case in place. Agents and tools are those that the suite began with, whatever
 * happens to their files while it runs. Closing it leaves the log and the suite's own workspace open.
 *
 * @throws SoloistError `configuration` for a source that is none.
 */
export function openCaseWorkspace(base: Workspace, { flags, log }: CaseSources): Workspace {
  const sources = sourcesOf(base, flags);
  const scratch = mkdtempSync(join(tmpdir(), 'soloist-'));
  const catalog = createSourceCatalog(sources, { scratch });
  return {
    ...base,
    project: { ...base.project, sources },
    catalog,
    openLog: async () => log,
    close: async () => {
      await catalog.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}

/** A case that names sources has these alone, a plain name being one of the project's; without any it has all of the project's. */
function sourcesOf({ project, environment }: Workspace, flags: readonly string[]): readonly SourceSpec[] {
  if (flags.length === 0) return project.sources;
  const isPick = (flag: string): boolean => !flag.includes(':');
  const problems: Problem[] = [];
  const picked = flags.filter(isPick).flatMap((name) => {
    const found = project.sources.find((source) => source.name === name);
    const names = project.sources.map((source) => source.name);
    if (!found) problems.push({ where: `source ${name}`, fact: `the project declares no source "${name}"`, fix: suggestName(name, names) });
    return found ? [found] : [];
  });
  const made = flags.filter((flag) => !isPick(flag));
  const added =
    made.length === 0
      ? { sources: [], problems: [] }
      : projectSources({ folder: project.folder, cwd: project.folder, environment, flags: made, document: undefined });
  problems.push(...added.problems);
  if (problems.length > 0) throw configurationError(problems);
  return [...picked, ...added.sources];
}
