import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';

const ENDING = /\.ya?ml$/;
const PROJECT_FILE = 'soloist.yaml';

/** The folder of the suites that ship with the package, from the sources or from the compiled code. */
export function shippedSuites(): string {
  const places = ['../../bench/suites/', '../../../bench/suites/'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
  return places.find((path) => existsSync(path)) ?? (places[0] as string);
}

/** Names of the suites that ship, sorted. */
export function shippedSuiteNames(): string[] {
  const folder = shippedSuites();
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => ENDING.test(name) && name !== PROJECT_FILE)
    .map((name) => name.replace(ENDING, ''))
    .sort();
}

/**
 * The file of a suite: a path, else the name of one in `bench/` of the project, else of one that ships.
 *
 * @throws SoloistError `usage` naming the nearest.
 */
export function findSuite(named: string, project: string, cwd: string): string {
  const path = resolve(cwd, named);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  const folders = [join(project, 'bench'), shippedSuites()];
  const candidates = folders.flatMap((folder) => [`${named}.yaml`, `${named}.yml`].map((file) => join(folder, file)));
  const found = basename(named) === named ? candidates.find((file) => existsSync(file)) : undefined;
  if (found) return found;
  throw new SoloistError('usage', `there is no suite "${named}"`, {
    fix: `${suggestName(named, shippedSuiteNames())} A suite of your own is a path to its YAML file.`,
  });
}
