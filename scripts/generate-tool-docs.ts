// Writes docs/tools.md from the definitions of the tools, each with its example run for real. Run: npx tsx scripts/generate-tool-docs.ts
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { JsonSchema } from '../src/core/model.ts';
import type { Tool } from '../src/core/tool.ts';
import { BUILT_IN_TOOLS } from '../tools/index.ts';
import { runToolExamples } from './tool-examples.ts';

const MOST_LINES = 45;

const HEAD = `# Tools

<!-- Written by scripts/generate-tool-docs.ts; do not edit. -->

What the built-in tools take and return. Run any of them by hand: \`soloist tools call NAME --input JSON\`, with \`--project DIR\` or \`--source [NAME=]KIND:PATH\`;
the result is one JSON object on stdout.

Every result has the same frame: \`status\` (\`ok\`, \`partial\`, \`no_data\`, \`refused\`, \`error\`), \`complete\` (false whenever anything that matches was left out),
\`total\` and \`returned\` where it lists, \`as_of\`, \`warnings\` with stable codes, an \`id\` to cite, and the \`data\` described below. A result too large for the
window holds fewer whole items, the totals, and a \`reference\` that \`read_blob\` reads.

Tools marked *changes something* are in no shipped agent. By default they only show what they would do; with \`dry_run: false\` they ask, and without a terminal the answer
is no. \`permissions\` in soloist.yaml and in an agent's file decide (deny first, then ask, then allow).

The examples ran over \`examples/nightly-sales\`; those of the sources \`landing\`, \`events\` and \`spark\` over \`examples/samples\`, those of \`airflow\` against a stand-in for it. Long outputs are cut at ${MOST_LINES} lines
here, and say so.
`;

/** The whole page. The same bytes on every machine: times of files and of reading are masked. */
export async function renderToolDocs(): Promise<string> {
  const outputs = await runToolExamples(BUILT_IN_TOOLS);
  const list = BUILT_IN_TOOLS.map((tool) => `| [${tool.name}](#${tool.name}) | ${firstSentence(tool.description)} |`).join('\n');
  const sections = BUILT_IN_TOOLS.map((tool) => section(tool, outputs.get(tool.name)));
  return `${HEAD}\n| tool | what it does |\n| --- | --- |\n${list}\n\n${sections.join('\n')}`;
}

interface Run {
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

function section(tool: Tool, run: Run | undefined): string {
  if (!run) throw new Error(`tool ${tool.name} has no example`);
  const note = tool.effect === 'write' ? ' *Changes something.*' : '';
  return `## ${tool.name}

${tool.description}${note}

${fieldTable(tool.parameters, 'input')}
${fieldTable(tool.outputSchema(), 'data')}
    soloist tools call ${tool.name} --input '${JSON.stringify(run.input)}'

\`\`\`json
${shorten(JSON.stringify(run.result, null, 2))}
\`\`\`
`;
}

function fieldTable(schema: JsonSchema, title: string): string {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (fields.length === 0) return '';
  const required = new Set((schema.required ?? []) as string[]);
  const rows = fields.map(
    ([name, field]) => `| \`${name}\` | ${typeOf(field)} | ${meaning(field, title === 'input' && required.has(name))} |`,
  );
  return `| ${title} | type | |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function typeOf(field: JsonSchema): string {
  if (Array.isArray(field.enum)) return field.enum.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(field.anyOf)) return [...new Set((field.anyOf as JsonSchema[]).map(typeOf))].join(' or ');
  if (field.type === 'array') return `list of ${typeOf((field.items ?? {}) as JsonSchema)}`;
  return typeof field.type === 'string' ? field.type : 'any';
}

function meaning(field: JsonSchema, required: boolean): string {
  const parts = [required && field.default === undefined ? '**needed**' : '', String(field.description ?? '')];
  if (field.default !== undefined && field.default !== '') parts.push(`(${JSON.stringify(field.default)} unless set)`);
  return parts.filter(Boolean).join(' ').replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

function firstSentence(description: string): string {
  return description
    .replace(/([.:])\s.*$/s, '$1')
    .replace(/:$/, '.')
    .replaceAll('|', '\\|');
}

function shorten(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= MOST_LINES) return text;
  return [...lines.slice(0, MOST_LINES), `… (${lines.length - MOST_LINES} more lines)`].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('../docs/tools.md', import.meta.url), await renderToolDocs());
}
