import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { askInvestigator, claims } from './ask-investigator.ts';
import { airflowFiles, nights } from './pipeline-files.ts';

const place = mkdtempSync(join(tmpdir(), 'soloist-failed-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function folder(files: Readonly<Record<string, unknown>>): string {
  const made = mkdtempSync(join(place, 'files-'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(made, name), typeof content === 'string' ? content : JSON.stringify(content));
  return made;
}

/** Orders of 1 to 8 May, and a pipeline whose run in the night after the 9th failed. */
async function causesBeside(pipeline: string): Promise<readonly string[]> {
  const runs = nights(pipeline, 9, (_, last) => [{ task: 'work', ready: 0, start: 2, end: 100, state: last ? 'failed' : 'success' }]).map(
    (run, night) => (night === 8 ? { ...run, state: 'failed' } : run),
  );
  const rows = Array.from({ length: 80 }, (_, at) => `O${at},2026-05-0${1 + Math.floor(at / 10)},${20 + ((at * 7) % 13)}`);
  const sources = [
    `runs=airflow-export:${folder(airflowFiles(runs, []))}`,
    `data=files:${folder({ 'orders.csv': `order_ref,ordered_on,amount\n${rows.join('\n')}\n` })}`,
  ];
  return claims(await askInvestigator({ question: 'Why is the data of orders missing on 2026-05-09?', sources }), 'cause');
}

it('lays rows that are missing to the run that failed in that night, where it bears a word of the question that few bear', async () => {
  expect((await causesBeside('orders_load')).join('\n')).toContain('`orders_load`');
  expect((await causesBeside('weather_data')).join('\n')).not.toContain('`weather_data`');
});
