import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CostRow, costOf, renderCost } from './cost-rows.ts';
import { drawCost } from './draw-cost.ts';

const SESSIONS = [1, 10, 100, 400] as const;
const docs = fileURLToPath(new URL('../../docs/benchmarks/', import.meta.url));

const rows: CostRow[] = [];
for (const count of SESSIONS) rows.push(await costOf(count));
const table = [
  '| sessions so far | current notes | tokens a turn, transcripts replayed | tokens a turn, recalled (mean) | share |',
  '| --: | --: | --: | --: | --: |',
  ...rows.map(renderCost),
].join('\n');
writeFileSync(join(docs, 'recall-cost.svg'), drawCost(rows));
const page = join(docs, 'recall.md');
const text = readFileSync(page, 'utf8');
writeFileSync(page, text.replace(/(<!-- cost -->\n)[\s\S]*?(<!-- \/cost -->)/, `$1\n${table}\n\n$2`));
console.log(table);
