import { refused, type ToolOutcome } from '../../src/core/tool-result.ts';

/** What a tool of memory answers where it is run by hand, without a session. */
export function noMemory(): ToolOutcome<{ message: string }> {
  return refused('no_session', 'this tool works within a run; by hand use `soloist memory`');
}

/** What it answers an agent whose settings say no. */
export function notAllowed(what: 'recall' | 'write'): ToolOutcome<{ message: string }> {
  return refused('not_permitted', `the memory settings of this agent do not let it ${what === 'recall' ? 'recall' : 'leave notes'}`);
}
