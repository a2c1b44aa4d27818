import { createInterface } from 'node:readline/promises';
import pLimit from 'p-limit';
import type { ApprovalRequest, Approve } from '../core/approval.ts';
import { terminalText } from './terminal-text.ts';

const oneAtATime = pLimit(1);

/** Asks on stderr whether a tool with effects may run; anything but yes is no. Children that ask at once wait for one another. */
export const askAtTerminal: Approve = (request) => oneAtATime(ask, request);

async function ask({ agent, tool, arguments: input, preview, interrupted }: ApprovalRequest): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const why = interrupted ? ' It was under way when the run was killed and may have taken effect already.' : '';
    const would = preview === undefined ? '' : `\nIt would do this:\n${JSON.stringify(preview, null, 2)}\n`;
    const question = `${agent} wants to run ${tool} ${JSON.stringify(input)}.${would}${why} Allow? [y/N] `;
    const answer = await terminal.question(terminalText(question));
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
