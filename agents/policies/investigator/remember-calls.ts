import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';

/** The same play, on which a call made before is answered by the result it had. Findings are recorded every time. */
export function rememberCalls(play: Play): Play {
  const known = new Map<string, Promise<ToolResult>>();
  return {
    ...play,
    call: <Data>(tool: string, input: Readonly<Record<string, unknown>>) => {
      if (tool === 'record_finding') return play.call<Data>(tool, input);
      const key = JSON.stringify([tool, Object.entries(input).sort(([left], [right]) => (left < right ? -1 : 1))]);
      const before = known.get(key) as Promise<ToolResult<Data>> | undefined;
      if (before) return before;
      const calling = play.call<Data>(tool, input);
      known.set(key, calling);
      return calling;
    },
  };
}
