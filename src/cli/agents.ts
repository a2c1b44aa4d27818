import type { Command } from 'commander';
import { type Configuration, findWarnings, openConfiguration, printSchema } from '../app/open-configuration.ts';
import { formatProblem, SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

export function registerAgents(program: Command, services: CliServices): void {
  const agents = program.command('agents').description('list and check the agents, print the schemas of the files');
  withProjectOptions(agents.command('list').description('list the agents').option('--json', 'as JSON')).action(
    async (flags: { json?: boolean }, self: Command) => {
      const configuration = await openConfiguration(projectOptions(self, services));
      services.out(flags.json ? `${JSON.stringify(listAgents(configuration))}\n` : renderAgents(configuration));
    },
  );
  withProjectOptions(
    agents.command('check').description('check soloist.yaml, all agents and tools without running any').option('--json', 'as JSON'),
  ).action(async (flags: { json?: boolean }, self: Command) => check(self, flags.json === true, services));
  agents
    .command('schema')
    .description('print the JSON Schema of an agent file or of soloist.yaml')
    .argument('[file]', 'agent or project', 'agent')
    .option('--json', 'the default: a schema is JSON')
    .action((kind: string) => {
      if (kind !== 'agent' && kind !== 'project') {
        throw new SoloistError('usage', `there is no schema "${kind}"`, { fix: suggestName(kind, ['agent', 'project']) });
      }
      services.out(`${printSchema(kind)}\n`);
    });
}

async function check(command: Command, json: boolean, services: CliServices): Promise<void> {
  const configuration = await openConfiguration(projectOptions(command, services));
  const { agents, sources } = configuration.project;
  const counts = { agents: agents.length, tools: configuration.tools.size, sources: sources.length };
  const warnings = findWarnings(configuration);
  if (json) return services.out(`${JSON.stringify({ ok: true, ...counts, problems: [], warnings })}\n`);
  const verdict = warnings.length === 0 ? 'no problems' : `no errors, ${count(warnings.length, 'warnings')}`;
  const all = Object.entries(counts).map(([what, number]) => count(number, what));
  services.out(
    `${warnings.map((one) => `${formatProblem({ ...one, fact: `warning: ${one.fact}` })}\n`).join('')}${verdict}: ${all.join(', ')}\n`,
  );
}

function count(number: number, what: string): string {
  return `${number} ${number === 1 ? what.slice(0, -1) : what}`;
}

function listAgents({ project }: Configuration) {
  return project.agents.map(({ name, description, model, tools, subagents, file }) => ({
    name,
    description,
    model,
    tools,
    subagents: subagents.map(({ agent }) => agent),
    file,
  }));
}

function renderAgents(configuration: Configuration): string {
  const { agents } = configuration.project;
  if (agents.length === 0) return 'no agents\n';
  const width = Math.max(...agents.map(({ name }) => name.length));
  return `${agents.map(({ name, model, description }) => `${name.padEnd(width)}  ${model.padEnd(8)}  ${description}`.trimEnd()).join('\n')}\n`;
}
