import type { Command } from 'commander';
import { callTool, describeTool } from '../app/call-tool.ts';
import { openWorkspace, type Workspace } from '../app/workspace.ts';
import { SoloistError } from '../core/errors.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

export function registerTools(program: Command, services: CliServices): void {
  const tools = program.command('tools').description('list, show and call tools by hand');
  const within = async (command: Command, work: (workspace: Workspace) => Promise<number>): Promise<void> => {
    const workspace = await openWorkspace(projectOptions(command, services));
    try {
      process.exitCode = await work(workspace);
    } finally {
      await workspace.close();
    }
  };
  withProjectOptions(tools.command('list').description('list the tools').option('--json', 'as JSON')).action(
    (flags: { json?: boolean }, self: Command) => within(self, async (workspace) => listTools(workspace, flags.json === true, services)),
  );
  withProjectOptions(
    tools.command('show').description("show a tool's description and schemas").argument('<name>').option('--json', 'as JSON'),
  ).action((name: string, flags: { json?: boolean }, self: Command) =>
    within(self, async (workspace) => showTool(workspace, name, { json: flags.json === true, services })),
  );
  withProjectOptions(
    tools
      .command('call')
      .description('call a tool; the result is one JSON object')
      .argument('<name>')
      .option('--input <json>', 'the arguments as JSON, or - for stdin', '{}')
      .option('--json', 'the default: the result is JSON'),
  ).action((name: string, flags: { input: string }, self: Command) =>
    within(self, async (workspace) => {
      const result = await callTool(workspace, name, parseInput(await readInput(flags.input)));
      services.out(`${JSON.stringify(result, null, 2)}\n`);
      return result.status === 'error' || result.status === 'refused' ? 1 : 0;
    }),
  );
}

function listTools(workspace: Workspace, json: boolean, services: CliServices): number {
  const tools = [...workspace.tools.values()].map(({ name, effect, description }) => ({ name, effect, description }));
  if (json) services.out(`${JSON.stringify(tools)}\n`);
  else
    services.out(
      `${tools.map((tool) => `${tool.name.padEnd(20)} ${tool.effect.padEnd(6)} ${tool.description.split(/(?<=\.)\s/, 1)[0]}`).join('\n')}\n`,
    );
  return 0;
}

function showTool(workspace: Workspace, name: string, { json, services }: { json: boolean; services: CliServices }): number {
  const tool = describeTool(workspace, name);
  if (json) services.out(`${JSON.stringify(tool)}\n`);
  else {
    const example = tool.example ? `\n\nExample: soloist tools call ${name} --input '${JSON.stringify(tool.example)}'` : '';
    services.out(
      `${tool.name} (${tool.effect}, at most ${tool.timeoutSeconds} s)\n\n${tool.description}\n\nInput:\n${JSON.stringify(tool.input, null, 2)}\n\nOutput (data):\n${JSON.stringify(tool.output, null, 2)}${example}\n`,
    );
  }
  return 0;
}

async function readInput(flag: string): Promise<string> {
  if (flag !== '-') return flag;
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function parseInput(text: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text || '{}');
  } catch (error) {
    throw new SoloistError('usage', `--input is not JSON: ${error instanceof Error ? error.message : ''}`, {
      fix: `write it like --input '{"table": "orders"}', or pass - and give it on stdin`,
    });
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw new SoloistError('usage', '--input must be a JSON object', { fix: `for example --input '{"table": "orders"}'` });
  return parsed as Readonly<Record<string, unknown>>;
}
