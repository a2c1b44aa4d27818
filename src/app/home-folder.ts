import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** `SOLOIST_HOME`, else `.soloist` in a folder that has a soloist.yaml, else `~/.soloist`: a folder of bare data is not written to. */
export function homeFolder(folder: string, environment: NodeJS.ProcessEnv): string {
  if (environment.SOLOIST_HOME) return environment.SOLOIST_HOME;
  const isProject = existsSync(join(folder, 'soloist.yaml'));
  return isProject ? join(folder, '.soloist') : join(environment.HOME ?? homedir(), '.soloist');
}
