import type { EmbeddingModel } from '../../src/core/embedding-model.ts';

/**
 * An embedding model without a model: each character trigram of each word adds to one of the vector's places, chosen by a hash (FNV-1a), and the
 * whole is brought to length 1. It knows spelling and no meaning. `concepts` makes words of one list count as one: a stand-in for meaning.
 */
export function hashedEmbeddingModel(
  options: { dimensions?: number; concepts?: readonly (readonly string[])[]; id?: string } = {},
): EmbeddingModel {
  const { dimensions = 256, concepts = [], id = 'test/hashed-trigrams' } = options;
  const conceptOf = new Map(concepts.flatMap((words, place) => words.map((word) => [word, `concept${place}`] as const)));
  const embedOne = (text: string): Float32Array => {
    const vector = new Float32Array(dimensions);
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      const concept = conceptOf.get(word);
      const parts = concept ? [concept, concept, concept] : trigrams(` ${word} `);
      for (const part of parts) {
        const hash = hashOf(part);
        const place = hash % dimensions;
        vector[place] = (vector[place] ?? 0) + ((hash >>> 16) % 2 === 0 ? 1 : -1);
      }
    }
    const length = Math.hypot(...vector);
    return length === 0 ? vector : vector.map((value) => value / length);
  };
  return {
    id,
    prefixes: 'none',
    embed: async (texts) => ({
      ok: true,
      vectors: texts.map(embedOne),
      inputTokens: texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0),
      shortened: [],
    }),
    close: async () => {},
  };
}

function trigrams(word: string): readonly string[] {
  return word.length < 3 ? [word] : Array.from({ length: word.length - 2 }, (_, place) => word.slice(place, place + 3));
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let place = 0; place < text.length; place++) hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  return hash >>> 0;
}
