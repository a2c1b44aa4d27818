import type { EmbeddingPurpose } from '../../core/embedding-model.ts';

/** What a family of embedding models wants in front of a text, by what the text is embedded for. */
export interface PrefixProfile {
  /** Part of what makes two vectors comparable: another template has another id. */
  readonly id: string;
  readonly document: string;
  readonly query: string;
}

const RETRIEVE = 'Represent this sentence for searching relevant passages: ';
const INSTRUCT = 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ';

/** By the name of the model, the first that matches. The texts are those of the models' own cards. */
const PROFILES: readonly (readonly [RegExp, PrefixProfile])[] = [
  [/nomic-embed/, { id: 'nomic/1', document: 'search_document: ', query: 'search_query: ' }],
  [/embedding-?gemma/, { id: 'embeddinggemma/1', document: 'title: none | text: ', query: 'task: search result | query: ' }],
  [/qwen3-embedding|e5-mistral|e5.*instruct|gte-qwen2|sfr-embedding/, { id: 'instruct/1', document: '', query: INSTRUCT }],
  [/(?:^|[/_-])e5(?:[-_:]|$)|multilingual-e5/, { id: 'e5/1', document: 'passage: ', query: 'query: ' }],
  [/arctic-embed-?(?:[sml]-)?(?:2|v2)|arctic-embed-[ml]-v2/, { id: 'arctic/2', document: '', query: 'query: ' }],
  [/bge-(?:small|base|large)-zh/, { id: 'bge-zh/1', document: '', query: '为这个句子生成表示以用于检索相关文章：' }],
  [/mxbai-embed|arctic-embed/, { id: 'retrieve/1', document: '', query: RETRIEVE }],
  [/bge-(?:small|base|large)/, { id: 'retrieve/1', document: '', query: RETRIEVE }],
];

const NONE: PrefixProfile = { id: 'none/1', document: '', query: '' };

/** The profile of a model by its name, as any registry writes it; none where the family is not known to want one. */
export function prefixProfileOf(model: string): PrefixProfile {
  const name = model.toLowerCase();
  return PROFILES.find(([pattern]) => pattern.test(name))?.[1] ?? NONE;
}

export function withPrefix(profile: PrefixProfile, purpose: EmbeddingPurpose, text: string): string {
  return profile[purpose] + text;
}
