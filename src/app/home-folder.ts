import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** `SOLOIST_HOME`, else `.soloist` in a folder that has a soloist.yaml, else `~/.soloist`: a folder of bare data is not written to. */
export function homeFolder(folder: string, environment: NodeJS.ProcessEnv): string {
  if (environment.SOLOIST_HOME) return environment.SOLOIST_HOME;
  const isProject = existsSync(join(folder, 'soloist.yaml'));
  return isProject ? join(folder, '.soloist') : join(environment.HOME ?? homedir(), '.soloist');
}

/**
 * The memory of a folder within a home that serves several: what was learned in one is not recalled in another. Nothing for the home of the
 * folder itself, which can be moved with it.
 */
export function ownMemoryOf(folder: string, home: string): string | undefined {
  const own = realPath(folder);
  return realPath(home) === join(own, '.soloist') ? undefined : `folder-${createHash('sha256').update(own).digest('hex').slice(0, 16)}`;
}

/** A home that is not there yet stands in a folder that is. */
function realPath(path: string): string {
  const absolute = resolve(path);
  if (existsSync(absolute)) return realpathSync(absolute);
  const parent = resolve(absolute, '..');
  return parent === absolute ? absolute : join(realPath(parent), absolute.slice(parent.length).replace(/^[/\\]+/, ''));
}
