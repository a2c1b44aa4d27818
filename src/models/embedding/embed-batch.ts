import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import { estimateTokens } from '../../core/usage.ts';
import { pause } from '../chat/pause.ts';
import type { EmbeddingServer } from './embedding-server.ts';
import { toUnitVector } from './vector-check.ts';

/** A text with its place among those to embed. */
export interface Placed {
  readonly place: number;
  readonly text: string;
}

interface Embedded {
  readonly place: number;
  readonly vector: Float32Array;
  readonly shortened: boolean;
}

export interface BatchResult {
  readonly embedded: readonly Embedded[];
  readonly inputTokens: number;
  /** Texts that the model cannot embed, and why. */
  readonly rejected: readonly { readonly place: number; readonly failure: ModelFailure }[];
  /** A failure that is not of the texts: nothing more is to be tried. */
  readonly failure?: ModelFailure;
}

const NOTHING: BatchResult = { embedded: [], inputTokens: 0, rejected: [] };
/** Failures that may lie in one of the texts. */
const OF_A_TEXT: ReadonlySet<string> = new Set(['bad_request', 'context_overflow', 'server_fault', 'output_invalid']);
const SHRINK = 0.85;
const MOST_CUTS = 12;
const IN_VAIN = 4;
const CHARACTERS_PER_TOKEN = 6;
const PAUSES_MS = [200, 1_000];

/** The vectors of a batch; when it fails, its halves are tried apart, until the texts at fault are found. */
export async function embedBatch(server: EmbeddingServer, batch: readonly Placed[], scope: Scope): Promise<BatchResult> {
  const [only] = batch;
  if (batch.length === 1 && only) return embedAlone(server, only, scope);
  const reply = await patiently(server, batch, scope);
  if (reply.ok) {
    const read = readVectors(server, batch, reply);
    return read ?? embedHalves(server, batch, scope);
  }
  return OF_A_TEXT.has(reply.failure.kind) ? embedHalves(server, batch, scope) : { ...NOTHING, failure: reply.failure };
}

async function embedHalves(server: EmbeddingServer, batch: readonly Placed[], scope: Scope): Promise<BatchResult> {
  const middle = batch.length >> 1;
  const first = await embedBatch(server, batch.slice(0, middle), scope);
  if (first.failure) return first;
  const common = commonFailure(first);
  if (common) return { ...NOTHING, failure: common };
  const second = await embedBatch(server, batch.slice(middle), scope);
  return {
    ...second,
    embedded: [...first.embedded, ...second.embedded],
    inputTokens: first.inputTokens + second.inputTokens,
    rejected: [...first.rejected, ...second.rejected],
  };
}

/** Many texts and the same failure for each: it is the server's, and asking on would be in vain. */
function commonFailure({ embedded, rejected }: BatchResult): ModelFailure | undefined {
  const [first] = rejected;
  if (!first || embedded.length > 0 || rejected.length < IN_VAIN) return undefined;
  return rejected.every(({ failure }) => failure.message === first.failure.message) ? first.failure : undefined;
}

/** One text, cut at its end as often as the server says that it is too long. */
async function embedAlone(server: EmbeddingServer, { place, text }: Placed, scope: Scope): Promise<BatchResult> {
  const most = server.windowTokens * CHARACTERS_PER_TOKEN;
  let sent = text.length > most ? cutAt(text, most) : text;
  for (let cuts = 0; ; cuts++) {
    const reply = await patiently(server, [{ place, text: sent }], scope);
    if (reply.ok) {
      const read = readVectors(server, [{ place, text: sent }], reply);
      const [one] = read?.embedded ?? [];
      if (!read || !one) return rejectedBatch(place, { kind: 'protocol', message: `${server.name} made ${problemOf(reply.vectors[0])}` });
      const cut = sent.length < text.length || wasCut(sent, reply.inputTokens, server.windowTokens);
      return { ...read, embedded: [{ ...one, shortened: cut }] };
    }
    const { failure } = reply;
    if (failure.kind === 'context_overflow' && cuts < MOST_CUTS && sent.length > 1) sent = cutAt(sent, shorterLength(sent, failure));
    else if (OF_A_TEXT.has(failure.kind)) return rejectedBatch(place, failure);
    else return { ...NOTHING, failure };
  }
}

function rejectedBatch(place: number, failure: ModelFailure): BatchResult {
  return { ...NOTHING, rejected: [{ place, failure }] };
}

/** By the counts of the failure where it has them, else by a part of it each time. */
function shorterLength(sent: string, { promptTokens, windowTokens }: ModelFailure): number {
  const ratio = promptTokens && windowTokens && windowTokens < promptTokens ? (windowTokens / promptTokens) * 0.97 : SHRINK;
  return Math.max(1, Math.floor(sent.length * ratio));
}

/** Cut where no character is torn apart, and at the end of a word where one is near. */
function cutAt(text: string, length: number): string {
  const bare = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const space = bare.lastIndexOf(' ');
  return space > bare.length * 0.9 ? bare.slice(0, space) : bare;
}

/** A server that cuts without a word shows it by its count: the window filled to the brim, or far fewer tokens than the text has. */
function wasCut(text: string, counted: number | undefined, windowTokens: number): boolean {
  if (counted === undefined || counted === 0) return false;
  return counted >= windowTokens || counted < estimateTokens(text) * 0.5;
}

function readVectors(
  server: EmbeddingServer,
  batch: readonly Placed[],
  { vectors, inputTokens = 0 }: { readonly vectors: readonly unknown[]; readonly inputTokens: number | undefined },
): BatchResult | undefined {
  if (vectors.length !== batch.length) {
    const message = `${server.name} made ${vectors.length} vectors of ${batch.length} texts`;
    return { ...NOTHING, failure: { kind: 'protocol', message } };
  }
  const embedded: Embedded[] = [];
  for (const [index, { place }] of batch.entries()) {
    const vector = toUnitVector(vectors[index]);
    if ('problem' in vector) return undefined;
    embedded.push({ place, vector, shortened: false });
  }
  return { embedded, inputTokens, rejected: [] };
}

function problemOf(vector: unknown): string {
  const made = toUnitVector(vector);
  return 'problem' in made ? made.problem : 'nothing';
}

/** The request, again after a pause when the server is busy or the connection broke before the answer. */
async function patiently(server: EmbeddingServer, batch: readonly Placed[], scope: Scope) {
  const texts = batch.map(({ text }) => text);
  for (const milliseconds of PAUSES_MS) {
    const reply = await server.request(texts, scope);
    if (reply.ok || scope.stopped || !isPassing(reply.failure)) return reply;
    await pause(milliseconds, scope);
  }
  return server.request(texts, scope);
}

function isPassing(failure: ModelFailure & { readonly beforeAnswer?: boolean }): boolean {
  return failure.kind === 'busy' || failure.beforeAnswer === true;
}
