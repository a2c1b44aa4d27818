import type { EmbeddingModel } from '../core/embedding-model.ts';
import type { Generation, GenerationIdentity } from '../core/memory-index.ts';

/** What a model's vectors are comparable by; the length of its vectors is known once it has made one. */
export function identityOf({ id, prefixes }: EmbeddingModel, dimensions: number): GenerationIdentity {
  const slash = id.indexOf('/');
  const [provider, model] = slash < 0 ? ['', id] : [id.slice(0, slash), id.slice(slash + 1)];
  return { provider, model, dimensions, normalisation: 'unit', prefixes };
}

/** The active generation where the model made it, else why its vectors cannot be asked. */
export function matchingGeneration(active: Generation | undefined, embedding: EmbeddingModel): Generation | string {
  if (!active) return 'no note has a vector yet; `soloist memory reembed` makes them';
  const { provider, model, prefixes } = identityOf(embedding, active.dimensions);
  if (active.provider === provider && active.model === model && active.prefixes === prefixes) return active;
  const made = [active.provider, active.model].filter((part) => part !== '').join('/');
  return `the vectors are of ${made}, not of ${embedding.id}; \`soloist memory reembed\` makes them anew`;
}
