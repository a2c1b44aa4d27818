import { SoloistError } from '../core/errors.ts';
import { Scope } from '../core/scope.ts';
import { matchingGeneration } from '../memory/generation-identity.ts';
import { indexVectors } from '../memory/index-vectors.ts';
import type { ProjectMemory } from './memory-project.ts';

export interface Reembedded {
  readonly model: string;
  readonly embedded: number;
  readonly vectors: number;
  /** What a vector counts beside words; 0 where the self-test found that words alone do better. */
  readonly weight: number;
  readonly switched: boolean;
  readonly tokens: number;
}

export interface Reembedding {
  readonly now: Date;
  readonly scope?: Scope;
  /** Tests the weight again where the model stayed the same. */
  readonly retest?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Gives every note a vector of the project's embedding model; another model's vectors stay in use until the new ones are all there.
 *
 * @throws SoloistError `configuration` without such a model, `dependency_missing` without sqlite-vec, `refused` where the model fails: what was
 *   embedded by then is kept.
 */
export async function reembed(
  memory: ProjectMemory,
  { now, scope = new Scope(), retest = false, onProgress }: Reembedding,
): Promise<Reembedded> {
  const embedding = await memory.embedding();
  if (!embedding)
    throw new SoloistError('configuration', 'no embedding model is named', {
      fix: 'set models.embedding in soloist.yaml, e.g. ollama/nomic-embed-text',
    });
  if (!memory.store.vectors.available)
    throw new SoloistError('dependency_missing', 'sqlite-vec has no build for this machine', {
      where: 'sqlite-vec',
      fix: 'recall stays lexical',
    });
  const request = { memory: memory.store, embedding, scope, now: now.getTime(), retest, ...(onProgress ? { onProgress } : {}) };
  const done = await indexVectors(request);
  if (!done.ok) {
    const { message, fix } = done.failure;
    throw new SoloistError(
      'refused',
      `${embedding.id} gave no vectors: ${message}; ${done.embedded} notes were embedded and are kept`,
      fix ? { fix } : {},
    );
  }
  const { generation, embedded, switched, settings, tokens } = done;
  return {
    model: embedding.id,
    embedded,
    vectors: memory.store.vectors.count(generation.generation),
    weight: settings.weight,
    switched,
    tokens,
  };
}

/** More notes than this are not embedded at the end of a run. */
const MOST_IN_PASSING = 200;

/** Embeds what a run has left, where the model is the one in use; answers what the reader has to know, if anything. */
export async function embedInPassing(memory: ProjectMemory, now: Date, scope: Scope): Promise<string | undefined> {
  const embedding = await memory.embedding();
  const { vectors, notes } = memory.store;
  if (!embedding || !vectors.available) return undefined;
  const active = vectors.active();
  const waiting = active ? vectors.progress(active.generation) : { done: 0, total: notes.list().length };
  const other = active !== undefined && typeof matchingGeneration(active, embedding) === 'string';
  if (other || waiting.total - waiting.done > MOST_IN_PASSING)
    return `${waiting.total - (other ? 0 : waiting.done)} notes have no vectors of ${embedding.id} yet: run \`soloist memory reembed\``;
  if (waiting.total === waiting.done) return undefined;
  try {
    await reembed(memory, { now, scope });
    return undefined;
  } catch (error) {
    if (!(error instanceof SoloistError)) throw error;
    return error.message;
  }
}
