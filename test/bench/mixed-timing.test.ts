import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderHtml } from '../../src/bench/report/render-html.ts';
import { renderMarkdown } from '../../src/bench/report/render-markdown.ts';
import { renderText } from '../../src/bench/report/render-text.ts';
import { callsTools, fails, says } from '../../src/testing/fake-answer.ts';
import { startFakeOllama } from '../../src/testing/fake-ollama.ts';
import { bench, PROJECT, writeProject } from './suite-project.ts';

it('lets no model fall back to another, whatever the settings say', async () => {
  const settings =
    'name: benched\nsources: {}\nagents: agents\ntools: tools\nmodels: { tried: { model: ollama/fake, fallback: [rules] } }\n';
  const { folder, remove } = writeProject({ 'soloist.yaml': settings });
  const server = await startFakeOllama({ chat: [fails(400, 'no such luck')] });
  try {
    const environment = { SOLOIST_HOME: join(folder, 'home'), OLLAMA_HOST: server.host };
    for (const model of ['tried', 'ollama/fake']) {
      const { report } = await bench(folder, { model, only: ['few'], environment });
      expect(report.groups.map(({ timing }) => timing)).toEqual(['measured']);
      expect(report.cells.map(({ failure }) => failure)).toEqual(Array(6).fill('model_failed'));
      expect(report.conditions.join(' ')).toContain('The call before the first cell failed: ollama/fake');
    }
  } finally {
    await server.close();
    remove();
  }
});

it('keeps simulated and measured times in tables and plots of their own', async () => {
  const suite = PROJECT['counting.yaml']!.replace(
    '  lead: { agent: lead, about: through another }',
    '  fixed: { agent: alone, model: rules }',
  );
  const { folder, remove } = writeProject({ 'counting.yaml': suite });
  const server = await startFakeOllama({
    chat: ({ body }) => {
      const rows = /"rows":\[\[(\d+)\]\]/.exec((body.messages as { content: string }[]).at(-1)?.content ?? '')?.[1];
      return rows === undefined ? callsTools(['query_sql', { sql: 'SELECT count(*) FROM items' }]) : says(`${rows} rows`);
    },
  });
  try {
    const environment = { SOLOIST_HOME: join(folder, 'home'), OLLAMA_HOST: server.host };
    const { report } = await bench(folder, { model: 'ollama/fake', only: ['few'], environment });
    expect(report.groups.map(({ timing, designs }) => [timing, designs.map(({ design, passed }) => `${design} ${passed}`)])).toEqual([
      ['simulated', ['fixed 3']],
      ['measured', ['alone 3']],
    ]);
    // Nothing of the one group is compared with the other.
    expect(report.groups.flatMap(({ differences }) => differences)).toEqual([]);
    const markdown = renderMarkdown(report);
    const tables = markdown.split(/\n{2,}/).filter((block) => block.startsWith('| '));
    for (const table of tables.filter((block) => block.includes('tokens in |'))) {
      expect(table.includes('| fixed |')).toBe(table.includes('wall, simulated'));
      expect(table.includes('| alone |')).toBe(!table.includes('wall, simulated'));
    }
    const [simulated = '', measured = ''] = renderHtml(report).split('<h2>Verdict').slice(1);
    expect(simulated).not.toContain('>alone<');
    expect(measured).not.toContain('>fixed<');
    expect(measured.split('<h2>Fairness')[0]).not.toMatch(/simulated/);
    expect(renderText(report)).toMatch(/without a model: fixed/);
  } finally {
    await server.close();
    remove();
  }
});
