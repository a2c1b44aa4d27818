import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { EmbeddingModel } from '../../src/core/embedding-model.ts';
import { SoloistError } from '../../src/core/errors.ts';
import { evaluateSet, type SetResult } from './evaluate-set.ts';
import { PLATFORM } from './fixture-words-platform.ts';
import { makeFixture } from './make-fixture.ts';
import { parseQuestionSet, QuestionSetError, readQuestionSet } from './question-set.ts';
import { renderResults } from './render-results.ts';

const HELP = `npm run eval:memory -- [FILE ...] [--embedding MODEL|none] [--json]

Measures recall on question sets (docs/memory.md describes their form); the two keyed fixtures where no FILE is named.
  --embedding  an embedding model, as in soloist.yaml (ollama/nomic-embed-text); "hashed" is a stand-in that knows spelling alone (default: none)
  --json       the figures as JSON`;

async function embeddingOf(name: string): Promise<EmbeddingModel | undefined> {
  if (name === 'none') return undefined;
  if (name === 'hashed') return (await import('../../test/support/hashed-embedding-model.ts')).hashedEmbeddingModel();
  const { resolveEmbeddingModel } = await import('../../src/models/resolve-embedding-model.ts');
  return await resolveEmbeddingModel(name, {}, process.env);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      embedding: { type: 'string', default: 'none' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const sets =
    positionals.length === 0
      ? [parseQuestionSet(makeFixture()), parseQuestionSet(makeFixture(11, PLATFORM))]
      : positionals.map((file) => readQuestionSet(file));
  const embedding = await embeddingOf(values.embedding);
  const results: SetResult[] = [];
  for (const set of sets) {
    const folder = mkdtempSync(join(tmpdir(), 'soloist-eval-'));
    try {
      results.push(await evaluateSet(set, { folder, embedding }));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  await embedding?.close();
  console.log(values.json ? JSON.stringify(results, undefined, 2) : renderResults(results));
}

try {
  await main();
} catch (error) {
  const told =
    error instanceof QuestionSetError || error instanceof SoloistError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  if (!told) throw error;
  console.error(`eval:memory: ${(error as Error).message}`);
  process.exitCode = 1;
}
