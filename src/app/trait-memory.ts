import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownLacks, TraitMemory } from '../models/chat/trait-memory.ts';

const FILE = 'model-traits.json';

/**
 * What models turned out to lack, in one small file beside the log. A file that cannot be read or written only means
 * that the same is learnt again.
 *
 * @param folder the home of the log; made when something is remembered
 */
export function createTraitMemory(folder: string): TraitMemory {
  const file = join(folder, FILE);
  return {
    recall: (model) => {
      const known = readAll(file)[model] as Partial<KnownLacks> | undefined;
      return typeof known?.digest === 'string' && Array.isArray(known.lacks) ? (known as KnownLacks) : undefined;
    },
    remember: (model, known) => {
      try {
        mkdirSync(folder, { recursive: true });
        const partial = `${file}.${process.pid}.tmp`;
        writeFileSync(partial, `${JSON.stringify({ ...readAll(file), [model]: known }, null, 2)}\n`);
        renameSync(partial, file);
      } catch {
        // A folder that takes no files is no reason to fail a run.
      }
    },
  };
}

function readAll(file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
