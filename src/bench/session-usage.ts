import type { Event, EventBody } from '../core/event.ts';
import { embeddingUsageOf, modelUsageOf } from '../core/spending.ts';
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
 * Adds up a session from its log alone, with plans, critics and summaries of old turns. Input tokens are all that was sent, `cachedTokens` those of
 * them that the cache held. The cost, which holds that of recall too, is absent when a model has no price.
 */
export function totalsOf(events: Iterable<Event>, timing: Timing, priceOf: PriceOf): SessionTotals {
  const books = new Map<string, AgentBooks>();
  let looped = false;
  let cost: number | undefined = 0;
  const pay = (price: number | undefined): void => {
    cost = cost === undefined || price === undefined ? undefined : cost + price;
  };
  for (const { agent, body } of events) {
    const book = bookOf(books, agent);
    const usage = modelUsageOf(body);
    if (usage) {
      takeCall(book, { type: body.type, usage });
      pay(costOf(usage, () => priceOf(timing === 'simulated' ? 'simulated' : (askedBy(body) ?? book.model))));
    }
    pay(embeddingUsageOf(body)?.cost ?? 0);
    if (body.type === 'agent.started') book.model = body.model;
    else if (body.type === 'tool.finished') {
      book.toolCalls++;
      if (BAD_CALL.test(body.content)) book.badCalls++;
    } else if (body.type === 'loop.blocked') looped = true;
  }
  return { usage: { ...usageOf(books), ...(cost === undefined ? {} : { cost }) }, looped };
}

/** The model that was asked, where it may be another than the agent's own. */
function askedBy(body: EventBody): string | undefined {
  if (body.type === 'context.fitted') return body.compacted?.by;
  return body.type === 'plan.made' || body.type === 'answer.reflected' ? body.by : undefined;
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
  peak: number;
}

function bookOf(books: Map<string, AgentBooks>, agent: string): AgentBooks {
  const known = books.get(agent);
  if (known) return known;
  const counts = { modelCalls: 0, failedCalls: 0, toolCalls: 0, badCalls: 0, inputTokens: 0, outputTokens: 0, peak: 0 };
  const book: AgentBooks = { model: '', ...counts, cachedTokens: undefined };
  books.set(agent, book);
  return book;
}

/** A plan, a critic and a summary of old turns are model calls of their own, with a window of their own. */
function takeCall(book: AgentBooks, { type, usage }: { readonly type: EventBody['type']; readonly usage: CallUsage }): void {
  const { inputTokens = 0, outputTokens = 0, cachedTokens, tries = 1, peakTokens = inputTokens + outputTokens } = usage;
  book.modelCalls += tries;
  // All tries but the last have failed.
  book.failedCalls += type === 'model.failed' ? tries : tries - 1;
  book.inputTokens += inputTokens;
  book.outputTokens += outputTokens;
  if (cachedTokens !== undefined) book.cachedTokens = (book.cachedTokens ?? 0) + cachedTokens;
  if (type === 'model.replied' || type === 'model.failed') book.peak = Math.max(book.peak, peakTokens);
}

function usageOf(books: ReadonlyMap<string, AgentBooks>): Omit<SessionTotals['usage'], 'cost'> {
  const all = [...books.values()];
  const add = (of: (book: AgentBooks) => number): number => all.reduce((sum, book) => sum + of(book), 0);
  const cached = all.some(({ cachedTokens }) => cachedTokens !== undefined) ? add((book) => book.cachedTokens ?? 0) : undefined;
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
  };
}

/** As the call itself told it, else by the price of its model; nothing for a call that counted no tokens. */
function costOf(
  { inputTokens = 0, outputTokens = 0, cachedTokens = 0, cost }: CallUsage,
  priced: () => PriceSpec | undefined,
): number | undefined {
  if (cost !== undefined || inputTokens + outputTokens === 0) return cost ?? 0;
  const price = priced();
  if (!price) return undefined;
  const fresh = inputTokens - cachedTokens;
  return (fresh * price.input + cachedTokens * (price.cached ?? price.input) + outputTokens * price.output) / 1e6;
}
