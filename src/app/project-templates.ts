/** A file of a new project: its path with forward slashes, and its text. */
export interface Template {
  readonly path: string;
  readonly text: string;
}

/** The files of a small project that works as it stands. @param schemas where the JSON Schemas lie, as editors take it */
export function projectTemplates(schemas: { readonly project: string; readonly agent: string }): readonly Template[] {
  return [
    { path: 'soloist.yaml', text: PROJECT.replace('SCHEMA', () => schemas.project) },
    { path: 'agents/my-investigator.yaml', text: AGENT.replace('SCHEMA', () => schemas.agent) },
    { path: 'agents/policies/my-investigator.ts', text: POLICY },
    { path: 'tools/count-late-orders.ts', text: TOOL },
    { path: 'data/orders.csv', text: ORDERS },
    { path: '.gitignore', text: '.soloist/\nnode_modules/\n' },
  ];
}

const PROJECT = `# yaml-language-server: $schema=SCHEMA
name: my-project

models:
  # auto: Ollama when it answers and has a usable model, else fixed rules. Or name one: ollama/qwen3:8b
  default: auto

# Where data comes from: name: kind:path. Kinds: files, duckdb, sqlite, postgres, airflow, airflow-export, dbt,
# openlineage, logs. \${NAME} is taken from the environment, e.g.
#   warehouse: { kind: postgres, url: \${WAREHOUSE_URL} }
sources:
  data: files:./data

# Agent files and your own tools; these are the defaults.
agents: [./agents]
tools: [./tools]

# Tools that write ask before they run, unless they are listed here. deny is looked at first.
permissions:
  allow: [record_finding]
`;

const AGENT = `# yaml-language-server: $schema=SCHEMA
name: my-investigator
description: Answers questions about the orders in data/.
instructions: |
  You investigate a small set of orders. Call the tools before you state a figure, and state no figure that no tool
  returned. Record each finding with record_finding and the ids of the results it rests on. Say what you did not check.
tools:
  - count_late_orders # tools/count-late-orders.ts
  - record_finding
limits:
  turns: 12
  seconds: 300
`;

const POLICY = `import type { Play } from 'soloist';

// Stands in for the model where there is none (model: rules): it calls the same tools and reads their results.
async function investigate(play: Play): Promise<string> {
  const result = await play.call<{ orders: number; late: number; latest: string | null }>('count_late_orders', { days: 2 });
  if (result.status !== 'ok') return 'The orders could not be read.';
  const { orders, late, latest } = result.data;
  const claim = late + ' of ' + orders + ' orders are late' + (latest ? '; the latest is ' + latest : '');
  await play.call('record_finding', { kind: 'observation', claim: claim + '.', evidence: [result.id], confidence: 'high' });
  return claim + ' [' + result.id + '].';
}

export { investigate as default };
`;

const TOOL = `import { readFile } from 'node:fs/promises';
import { complete, defineTool, z } from 'soloist';

// A tool runs code and never reasons: typed input, typed output, and what it does to the world (read or write).
export const countLateOrders = defineTool({
  name: 'count_late_orders',
  description: 'Counts the orders in orders.csv that arrived more than a number of days after the promised day, and names the latest.',
  effect: 'read',
  input: z.object({ days: z.number().int().min(0).default(0).describe('Days of grace.') }),
  output: z.object({ orders: z.number(), late: z.number(), latest: z.string().nullable() }),
  example: { days: 2 },
  async run({ days }, context) {
    const source = await context.sources.pick('files', 'data');
    const path = await source.files?.resolve('orders.csv');
    const lines = path ? (await readFile(path, 'utf8')).trim().split('\\n').slice(1) : [];
    const orders = lines.map((line) => {
      const [id = '', promised = '', arrived = ''] = line.split(',');
      return { id, daysLate: (Date.parse(arrived) - Date.parse(promised)) / 86_400_000 };
    });
    const late = orders.filter((order) => order.daysLate > days).sort((left, right) => right.daysLate - left.daysLate);
    return complete({ orders: orders.length, late: late.length, latest: late[0]?.id ?? null });
  },
});
`;

const ORDERS = `order_id,promised,arrived
A-1001,2026-03-02,2026-03-02
A-1002,2026-03-02,2026-03-09
A-1003,2026-03-03,2026-03-04
A-1004,2026-03-04,2026-03-08
A-1005,2026-03-05,2026-03-05
A-1006,2026-03-06,2026-03-06
`;
