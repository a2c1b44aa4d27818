/** What may be used in all: turns, tokens and tool calls. */
export interface Share {
  readonly turns: number;
  readonly tokens: number;
  readonly toolCalls: number;
}

/**
 * Divides what a caller has left among its children that have not started yet: each gets an equal share when it starts,
 * and what it leaves returns, so that later ones get more. A fan-out cannot multiply the caller's budget.
 */
export interface BudgetPool {
  /** Announces children, before the first of them takes its share. */
  announce(children: number): void;
  take(): Share;
  /** The share of a child that is over; what it used must by then be part of what the caller has used. */
  release(share: Share): void;
}

/** @param left what the caller has not used yet, shares of running children not taken off */
export function createBudgetPool(left: () => Share): BudgetPool {
  const reserved = { turns: 0, tokens: 0, toolCalls: 0 };
  let waiting = 0;
  const reserve = (share: Share, sign: 1 | -1): void => {
    reserved.turns += sign * share.turns;
    reserved.tokens += sign * share.tokens;
    reserved.toolCalls += sign * share.toolCalls;
  };
  return {
    announce: (children) => {
      waiting += children;
    },
    take: () => {
      const now = left();
      const part = (name: keyof Share): number => Math.max(0, Math.floor((now[name] - reserved[name]) / Math.max(1, waiting)));
      const share = { turns: part('turns'), tokens: part('tokens'), toolCalls: part('toolCalls') };
      waiting = Math.max(0, waiting - 1);
      reserve(share, 1);
      return share;
    },
    release: (share) => reserve(share, -1),
  };
}
