import type { Event } from '../core/event.ts';
import type { CallUsage } from '../core/usage.ts';
import type { CellUsage, Timing } from './cell.ts';
import type { PriceSpec } from './suite-spec.ts';

const BAD_CALL = /"code":"(?:unknown_tool|invalid_arguments|arguments_coerced|repeated_call_blocked)"/;

/** What the events of a session amount to, children and calls that were stopped included. */
export interface SessionTotals {
  readonly usage: Omit<CellUsage, 'wallMs'>;
  readonly looped: boolean;
}

/** A price per million tokens of a model; `undefined` where none is known. */
export type PriceOf = (model: string) => PriceSpec | undefined;

/**
 * Adds up a session from its log alone. Input tokens are all that was sent, `cachedTokens` those of them that the cache held.
 * The cost is absent when a model has no price.
 */
export function totalsOf(events: Iterable<Event>, timing: Timing, priceOf: PriceOf): SessionTotals {
  const books = new Map<string, AgentBooks>();
  let looped = false;
  for (const event of events) {
    const { body } = event;
    const book = bookOf(books, event.agent);
    if (body.type === 'agent.started') book.model = body.model;
    else if (body.type === 'model.replied' || body.type === 'model.failed') takeCall(book, body);
    else if (body.type === 'context.fitted' && body.compacted?.usage) takeCall(book, { type: body.type, usage: body.compacted.usage });
    else if (body.type === 'tool.finished') {
      book.toolCalls++;
      if (BAD_CALL.test(body.content)) book.badCalls++;
    } else if (body.type === 'loop.blocked') looped = true;
  }
  return { usage: usageOf(books, timing, priceOf), looped };
}

interface AgentBooks {
  model: string;
  modelCalls: number;
  failedCalls: number;
  toolCalls: number;
  badCalls: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number | undefined;
  /** As the calls themselves told it. */
  cost: number | undefined;
  peak: number;
}

function bookOf(books: Map<string, AgentBooks>, agent: string): AgentBooks {
  const known = books.get(agent);
  if (known) return known;
  const counts = { modelCalls: 0, failedCalls: 0, toolCalls: 0, badCalls: 0, inputTokens: 0, outputTokens: 0, peak: 0 };
  const book: AgentBooks = { model: '', ...counts, cachedTokens: undefined, cost: undefined };
  books.set(agent, book);
  return book;
}

/** A summary of old turns is a model call of its own, with a window of its own. */
function takeCall(book: AgentBooks, body: { readonly type: Event['body']['type']; readonly usage: CallUsage }): void {
  const { inputTokens = 0, outputTokens = 0, cachedTokens, cost, tries = 1, peakTokens = inputTokens + outputTokens } = body.usage;
  book.modelCalls += tries;
  // All tries but the last have failed.
  book.failedCalls += body.type === 'model.failed' ? tries : tries - 1;
  book.inputTokens += inputTokens;
  book.outputTokens += outputTokens;
  if (cost !== undefined) book.cost = (book.cost ?? 0) + cost;
  if (cachedTokens !== undefined) book.cachedTokens = (book.cachedTokens ?? 0) + cachedTokens;
  if (body.type !== 'context.fitted') book.peak = Math.max(book.peak, peakTokens);
}

function usageOf(books: ReadonlyMap<string, AgentBooks>, timing: Timing, priceOf: PriceOf): SessionTotals['usage'] {
  const all = [...books.values()];
  const add = (of: (book: AgentBooks) => number): number => all.reduce((sum, book) => sum + of(book), 0);
  const cached = all.some(({ cachedTokens }) => cachedTokens !== undefined) ? add((book) => book.cachedTokens ?? 0) : undefined;
  const cost = costOf(all, timing, priceOf);
  return {
    inputTokens: add((book) => book.inputTokens),
    outputTokens: add((book) => book.outputTokens),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    modelCalls: add((book) => book.modelCalls),
    failedCalls: add((book) => book.failedCalls),
    toolCalls: add((book) => book.toolCalls),
    badCalls: add((book) => book.badCalls),
    peakOrchestrator: books.get('main')?.peak ?? 0,
    peakAny: Math.max(0, ...all.map(({ peak }) => peak)),
    children: books.size - (books.has('main') ? 1 : 0),
    ...(cost === undefined ? {} : { cost }),
  };
}

function costOf(books: readonly AgentBooks[], timing: Timing, priceOf: PriceOf): number | undefined {
  let cost = 0;
  for (const { model, inputTokens, outputTokens, cachedTokens = 0, cost: told } of books) {
    if (inputTokens + outputTokens === 0) continue;
    if (told !== undefined) {
      cost += told;
      continue;
    }
    const price = priceOf(timing === 'simulated' ? 'simulated' : model);
    if (!price) return undefined;
    const fresh = inputTokens - cachedTokens;
    cost += (fresh * price.input + cachedTokens * (price.cached ?? price.input) + outputTokens * price.output) / 1e6;
  }
  return cost;
}
