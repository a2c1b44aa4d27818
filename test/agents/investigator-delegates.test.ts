import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { askAgent } from './ask-agent.ts';

const folders: string[] = [];

function folder(files: Readonly<Record<string, string>>): string {
  const made = makeFolder(files);
  folders.push(made);
  return made;
}

afterAll(() => {
  for (const one of folders) dropFolder(one);
});

const NAMES = 'apples bananas cherries dates elderberries figs grapes hazelnuts kiwis lemons mangoes nuts oranges'.split(' ');

function table(name: string): string {
  const rows = Array.from({ length: 30 }, (_, index) => `${index},${index === 7 && name === 'figs' ? '' : `n${index}`},${100 + index}`);
  return `${name}_id,label,price\n${rows.join('\n')}\n`;
}

describe('the investigator and its subagents', () => {
  it('gives more than a dozen tables to profilers, and the delegation pays', async () => {
    const path = folder(Object.fromEntries(NAMES.map((name) => [`${name}.csv`, table(name)])));
    const { report, conclusions } = await askAgent({
      agent: 'investigator',
      question: 'Profile all tables.',
      sources: [`data=files:${path}`],
    });
    expect(conclusions.map(({ status }) => status)).toEqual(NAMES.map(() => 'ok'));
    expect(report.delegations).toMatchObject([{ agent: 'table-profiler', verdict: 'paid', children: 13 }]);
    expect(report.answer).toMatch(/these hold something odd: `figs`/);
  });

  it('profiles a dozen tables by itself', async () => {
    const path = folder(Object.fromEntries(NAMES.slice(0, 12).map((name) => [`${name}.csv`, table(name)])));
    const { report } = await askAgent({ agent: 'investigator', question: 'Profile all tables.', sources: [`data=files:${path}`] });
    expect(report.delegations).toEqual([]);
  });

  it('gives three sources of logs to readers, and what came first in time leads', async () => {
    const log = (minute: string, name: string, words: string): string =>
      [
        `2026-07-01T0${minute}:00Z INFO ${name} started`,
        ...Array.from({ length: 40 }, (_, index) => `2026-07-01T0${minute}:${10 + index}Z INFO ${name} wrote part ${index} rows=${index}`),
        `2026-07-01T0${minute}:55Z ERROR ${name} ${words}`,
      ].join('\n');
    const path = folder({
      'a/ingest.log': log('1:10', 'ingest', 'No space left on device'),
      'b/build.log': log('2:20', 'build', 'relation "orders" does not exist'),
      'c/report.log': log('3:30', 'report', 'timeout expired'),
    });
    const { report, conclusions } = await askAgent({
      agent: 'investigator',
      question: 'What happened in which order, and what is the first cause?',
      sources: [`one=logs:${path}/b`, `two=logs:${path}/a`, `three=logs:${path}/c`],
    });
    expect(conclusions).toHaveLength(3);
    expect(report.answer).toMatch(/^First in time, in the logs of `two`: First error, .*2026-07-01T01:10:55Z .*No space left on device/);
    expect(report.delegations.map(({ agent }) => agent)).toEqual(['log-reader']);
  });
});
