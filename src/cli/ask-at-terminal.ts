import { createInterface } from 'node:readline/promises';
import type { Approve } from '../core/approval.ts';

/** Asks on stderr whether a tool with effects may run; anything but yes is no. */
export const askAtTerminal: Approve = async ({ agent, tool, arguments: input, interrupted }) => {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const why = interrupted ? ' It was under way when the run was killed and may have taken effect already.' : '';
    const answer = await terminal.question(`${agent} wants to run ${tool} ${JSON.stringify(input)}.${why} Allow? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
};
