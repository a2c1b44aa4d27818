import { type FakeAnswer, fails, json } from './fake-answer.ts';

/** How a fake server makes vectors. */
export interface FakeEmbedding {
  /** The vector of a text; by default one of eight numbers and length 1 that depends on the text alone. */
  readonly vectorOf?: (text: string) => readonly number[];
  /** Numbers of a vector. 8 unless set. */
  readonly dimensions?: number;
  /** Most tokens (of four characters) of a text; 2048 unless set. */
  readonly windowTokens?: number;
  /** Cuts a text that is too long without a word, even when told not to. */
  readonly cutsSilently?: boolean;
  /** Texts that give NaN, which fails their whole batch. */
  readonly poison?: (text: string) => boolean;
}

/** An answer of `/api/embed`. */
export function answerEmbed(body: Readonly<Record<string, unknown>>, how: FakeEmbedding): FakeAnswer {
  const { input, truncate = true } = body;
  const { windowTokens = 2_048, poison, cutsSilently = false } = how;
  if (input === '' || input === undefined) return json({ model: 'fake', embeddings: [] });
  const texts = (Array.isArray(input) ? input : [input]) as unknown[];
  if (texts.some((text) => typeof text !== 'string')) return fails(400, 'invalid input type');
  const strings = texts as string[];
  if (poison && strings.some(poison)) return fails(400, 'embedding contains NaN or Inf values');
  const counts = strings.map(tokensOf);
  if (!truncate && !cutsSilently && counts.some((count) => count > windowTokens)) {
    return fails(400, 'the input length exceeds the context length');
  }
  return json({
    model: 'fake',
    embeddings: strings.map((text) => vectorFor(text, how)),
    prompt_eval_count: counts.reduce((sum, count) => sum + Math.min(count, windowTokens), 0),
  });
}

/** An answer of `/v1/embeddings`, with its entries out of order. */
export function answerEmbeddings(body: Readonly<Record<string, unknown>>, how: FakeEmbedding): FakeAnswer {
  const texts = (Array.isArray(body.input) ? body.input : [body.input]) as string[];
  const { windowTokens = 8_191, poison } = how;
  if (poison && texts.some(poison)) return fails(500, { code: 500, message: 'embedding contains NaN or Inf values', type: 'server_error' });
  const longest = Math.max(...texts.map(tokensOf));
  if (longest > windowTokens) {
    const message = `input (${longest} tokens) is too large to process. increase the physical batch size (current batch size: ${windowTokens})`;
    return fails(500, { code: 500, message, type: 'server_error' });
  }
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorFor(text, how) }));
  const tokens = texts.reduce((sum, text) => sum + tokensOf(text), 0);
  return json({ object: 'list', data: data.reverse(), model: 'fake', usage: { prompt_tokens: tokens, total_tokens: tokens } });
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}

function vectorFor(text: string, { vectorOf, dimensions = 8 }: FakeEmbedding): readonly number[] {
  if (vectorOf) return vectorOf(text);
  // Letters counted into places, so that equal texts have equal vectors and alike ones lie near.
  const raw = new Array<number>(dimensions).fill(0.01);
  for (let at = 0; at < text.length; at++) raw[text.charCodeAt(at) % dimensions] = (raw[text.charCodeAt(at) % dimensions] as number) + 1;
  const norm = Math.hypot(...raw);
  return raw.map((value) => value / norm);
}
