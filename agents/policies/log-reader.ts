import type { Policy } from '../../src/core/policy.ts';
import { cite } from './investigator/part-report.ts';
import { read } from './investigator/read-data.ts';
import { tellChain } from './log-reader/tell-chain.ts';
import { traceCause } from './log-reader/trace-cause.ts';

const INPUTS = ['source', 'path', 'task', 'pipeline', 'since', 'until'] as const;

/** The rules of the reader of logs: of each source of logs, the chain of causes. */
const readLogs: Policy = async (play) => {
  const given = play.task.inputs ?? {};
  const input = Object.fromEntries(INPUTS.flatMap((name) => (typeof given[name] === 'string' && given[name] ? [[name, given[name]]] : [])));
  const sources = play.sources.filter(({ kind }) => kind === 'logs').map(({ name }) => name);
  const wanted = typeof input.source === 'string' ? [input.source] : sources;
  if (wanted.length === 0) return `There is no source of logs${cite(await play.call('summarize_log', input))}.`;
  const told = await Promise.all(
    wanted.map(async (source) => {
      const chain = await traceCause(play, { ...input, source });
      const text = 'facts' in chain ? tellChain(chain) : whyNot(chain);
      return wanted.length > 1 ? `${source}:\n${text}` : text;
    }),
  );
  return told.join('\n');
};

function whyNot(result: { readonly id: string; readonly status: string; readonly data: unknown }): string {
  if (result.status === 'no_data') return `The logs hold nothing of what was asked [${result.id}]`;
  return `The logs could not be read: ${read(result.data).text('message') ?? result.status} [${result.id}]`;
}

export default readLogs;
