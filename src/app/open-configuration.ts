import { checkToolReferences, checkTools, placeInAgent } from '../config/check-agents.ts';
import { labelOf } from '../config/find-files.ts';
import { configurationSchema } from '../config/json-schemas.ts';
import { configurationError, type ProjectReading, readProject } from '../config/load-project.ts';
import { loadToolFiles, nameWhere } from '../config/load-tools.ts';
import type { Problem } from '../core/errors.ts';
import type { Project } from '../core/project.ts';
import type { Tool } from '../core/tool.ts';
import { lintAgents } from '../delegation/lint-agents.ts';

export interface ConfigurationRequest {
  readonly folder: string;
  readonly sourceFlags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

export interface Configuration {
  readonly project: Project;
  /** Built-in tools and the project's own, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
}

/** What `agents check` says of a configuration that works and yet is not as it should be. */
export function findWarnings({ project, tools }: Configuration): readonly Problem[] {
  return inOrder(lintAgents(project.agents, { toolNames: [...tools.keys()], where: placeInAgent }));
}

/**
 * The project with its agents and tools, all checked.
 *
 * @throws SoloistError `configuration` with every problem of every file.
 */
export async function openConfiguration(request: ConfigurationRequest): Promise<Configuration> {
  const { BUILT_IN_TOOLS } = await import('../../tools/index.ts');
  const reading = await readProject(request);
  const own = await loadToolFiles(reading.project.toolFiles);
  const tools = new Map(BUILT_IN_TOOLS.map((tool) => [tool.name, tool]));
  const clashes: Problem[] = [];
  for (const { tool, file } of own.tools) {
    if (!tools.has(tool.name)) tools.set(tool.name, tool);
    else {
      const where = nameWhere(file, labelOf(file, process.cwd()), tool.name);
      clashes.push({ where, fact: `tool "${tool.name}" has the name of a built-in tool`, fix: 'rename it' });
    }
  }
  const problems = [...reading.problems, ...own.problems, ...clashes, ...nameProblems(reading, tools, own.problems.length > 0)];
  if (problems.length > 0) throw configurationError(inOrder(problems));
  return { project: reading.project, tools };
}

/** Names of tools that do not exist; when a tool file could not be loaded, its tools are not known, so only the built-in ones' near misses count. */
function nameProblems(reading: ProjectReading, tools: ReadonlyMap<string, Tool>, incomplete: boolean): readonly Problem[] {
  const names = [...tools.keys()];
  const subagents = reading.drafts.flatMap(({ name }) => (name ? [name.text] : []));
  const found = [
    ...reading.drafts.flatMap((draft) => checkTools(draft, names)),
    ...checkToolReferences(reading.permissions, [...names, ...subagents]),
  ];
  return incomplete ? found.filter(({ fix }) => fix?.startsWith('did you mean')) : found;
}

/** Grouped by file in the order met, by line within each. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const parts = problems.map((problem) => ({ problem, ...placeOf(problem.where) }));
  const files = [...new Set(parts.map(({ file }) => file))];
  return parts
    .sort((left, right) => files.indexOf(left.file) - files.indexOf(right.file) || left.line - right.line || left.column - right.column)
    .map(({ problem }) => problem);
}

function placeOf(where: string): { file: string; line: number; column: number } {
  const [, file = where, line = '0', column = '0'] = /^(.*):(\d+):(\d+)$/.exec(where) ?? [];
  return { file, line: Number(line), column: Number(column) };
}

/** The JSON Schema of a kind of file, as text. */
export function printSchema(kind: 'agent' | 'project'): string {
  return JSON.stringify(configurationSchema(kind), null, 2);
}
