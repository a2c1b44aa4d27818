import { readFileSync } from 'node:fs';

/** The package's version, from its package.json; found from the sources and from the compiled files alike. */
export const VERSION: string = readVersion();

function readVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const parsed = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { name?: string; version?: string };
      if (parsed.name === 'soloist' && parsed.version) return parsed.version;
    } catch {
      // the other place holds it
    }
  }
  return 'unknown';
}
