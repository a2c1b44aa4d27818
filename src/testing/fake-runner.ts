import { type FakeAnswer, type FakeEnd, fails } from './fake-answer.ts';
import type { FakeRequest } from './fake-server.ts';

export interface RunnerOptions {
  /** Requests worked on at once; the others wait, without a limit and without a word. Unlimited unless set. */
  readonly slots?: number;
  /** Makes the server count tokens and load the model as the real one does. */
  readonly window?: {
    /** The window that the model was trained for: a larger one is lowered without a word. */
    readonly trainedTokens?: number;
    /** The window of a request that names none. 4096 unless set. */
    readonly defaultTokens?: number;
    /** Characters a token. 4 unless set. */
    readonly charactersPerToken?: number;
    /** How long a load takes. */
    readonly loadMs?: number;
    /** As servers before 0.12.6: `truncate` and `shift` are passed over, so that too much is always dropped in silence. */
    readonly ignoresTruncate?: boolean;
  };
}

type Fields = Readonly<Record<string, unknown>>;
const UNTOUCHED: ReadonlySet<string> = new Set(['temperature', 'seed', 'num_predict', 'top_p', 'top_k', 'min_p', 'stop']);

interface Loaded {
  readonly key: string;
  readonly name: string;
  readonly tokens: number;
}

/** The part of a server that works on prompts: its slots, its loaded model, its window. */
export function createRunner({ slots = Number.POSITIVE_INFINITY, window }: RunnerOptions) {
  const waiting: Array<() => void> = [];
  const working = new Set<FakeRequest>();
  const facts = new Map<FakeRequest, FakeEnd>();
  let loaded: Loaded | undefined;
  let loads = 0;

  const enter = async (request: FakeRequest): Promise<void> => {
    if (working.size >= slots) await new Promise<void>((resolve) => waiting.push(resolve));
    working.add(request);
  };

  const fitPrompt = (request: FakeRequest, answer: FakeAnswer): FakeAnswer => {
    const {
      options = {},
      shift = true,
      truncate = true,
      model,
    } = request.body as { options?: Fields; shift?: boolean; truncate?: boolean; model: string };
    const {
      trainedTokens = Number.POSITIVE_INFINITY,
      defaultTokens = 4_096,
      loadMs = 0,
      charactersPerToken = 4,
      ignoresTruncate = false,
    } = window ?? {};
    const tokens = Math.min(Number(options.num_ctx ?? defaultTokens), trainedTokens);
    const runnerOptions = Object.entries(options).filter(([name]) => !UNTOUCHED.has(name) && name !== 'num_ctx');
    const key = JSON.stringify([model, tokens, shift, runnerOptions.sort()]);
    const reloads = loaded?.key !== key;
    if (reloads) {
      loads++;
      loaded = { key, name: model, tokens };
    }
    const counted = countPrompt(request.body, {
      tokens,
      truncate: truncate || ignoresTruncate,
      shift: shift || ignoresTruncate,
      charactersPerToken,
    });
    if ('refused' in counted) return fails(400, counted.refused);
    facts.set(request, { prompt_eval_count: counted.tokens, load_duration: reloads ? Math.max(1, loadMs) * 1e6 : 1_000 });
    return reloads && loadMs > 0 ? { ...answer, headersAfterMs: (answer.headersAfterMs ?? 0) + loadMs } : answer;
  };

  return {
    run: async (request: FakeRequest, answer: FakeAnswer): Promise<FakeAnswer> => {
      await enter(request);
      return window ? fitPrompt(request, answer) : answer;
    },
    /** What the runner counted, where the script did not say otherwise on purpose. */
    factsOf: (request: FakeRequest, _end: FakeEnd): FakeEnd => facts.get(request) ?? {},
    over: (request: FakeRequest): void => {
      if (working.delete(request)) waiting.shift()?.();
    },
    running: () => (loaded ? [{ name: loaded.name, model: loaded.name, digest: 'fake', context_length: loaded.tokens }] : []),
    loads: () => loads,
  };
}

interface Fitting {
  readonly tokens: number;
  readonly truncate: boolean;
  readonly shift: boolean;
  readonly charactersPerToken: number;
}

/** Drops whole messages from the front, keeps system messages and the last one; then cuts the prompt itself, or refuses. */
function countPrompt(body: Fields, { tokens, truncate, shift, charactersPerToken }: Fitting): { tokens: number } | { refused: string } {
  const count = (value: unknown): number => Math.ceil(JSON.stringify(value ?? '').length / charactersPerToken);
  const messages = [...(body.messages as Fields[])];
  const whole = count(messages) + count(body.tools);
  if (whole <= tokens) return { tokens: whole };
  if (!truncate) return { refused: overflowText(whole, tokens) };
  let left = whole;
  while (left > tokens) {
    const first = messages.findIndex(({ role }, place) => role !== 'system' && place < messages.length - 1);
    if (first < 0) break;
    messages.splice(first, 1);
    left = count(messages) + count(body.tools);
  }
  if (left <= tokens) return { tokens: left };
  if (shift) return { tokens: Math.floor(tokens / 2) + 2 };
  return { refused: 'the prompt is longer than the context length currently available to the model; shorten the prompt' };
}

/** A JSON document inside the error text, as the runner's answer is passed on. */
export function overflowText(promptTokens: number, windowTokens: number): string {
  const message = `request (${promptTokens} tokens) exceeds the available context size (${windowTokens} tokens), try increasing it`;
  return JSON.stringify({
    error: { code: 400, message, type: 'exceed_context_size_error', n_prompt_tokens: promptTokens, n_ctx: windowTokens },
  });
}
