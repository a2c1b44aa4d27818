import { existsSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AuditThresholds, DEFAULT_THRESHOLDS } from '../core/audit-thresholds.ts';
import { type Problem, SoloistError } from '../core/errors.ts';
import type { MemorySettings, ModelSettings, Project } from '../core/project.ts';
import { checkAgentFiles, checkModel, rememberDraft } from './check-agents.ts';
import { checkRedaction } from './check-redaction.ts';
import { AGENT_ENDINGS, filesIn, findFiles, labelOf, SKILL_ENDINGS, TOOL_ENDINGS } from './find-files.ts';
import { type AgentDraft, type AgentFile, loadAgent, withoutUndefined } from './load-agents.ts';
import { loadSkills } from './load-skill.ts';
import { MODEL_SYNONYMS, projectSchema } from './project-schema.ts';
import { projectSources } from './project-sources.ts';
import { readYaml } from './read-yaml.ts';
import { schemaProblems } from './schema-problems.ts';
import { type Path, type Reference, referenceAt, referencesAt, type YamlDocument } from './yaml-document.ts';

const SHIPPED = fileURLToPath(new URL('../../agents/', import.meta.url));

export interface ProjectRequest {
  readonly folder: string;
  readonly sourceFlags: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** What paths in flags and in messages are relative to; the process's folder unless given. */
  readonly cwd?: string;
}

/** A project so far as it could be read, and all that is wrong with it. */
export interface ProjectReading {
  readonly project: Project;
  readonly problems: readonly Problem[];
  readonly drafts: readonly AgentDraft[];
  /** Tools named in the project's permissions. */
  readonly permissions: readonly Reference[];
}

/**
 * Reads `soloist.yaml` of a folder (everything has a default, so a folder without one works), its agents and the
 * shipped ones. Tool names are not checked here: they are known only when the tool files are loaded.
 *
 * @throws SoloistError `configuration` with the problems of all files; `not_found` when there is no such folder.
 */
export async function loadProject(request: ProjectRequest): Promise<Project> {
  const { project, problems } = await readProject(request);
  if (problems.length > 0) throw configurationError(problems);
  return project;
}

/** One error for all problems. */
export function configurationError(problems: readonly Problem[]): SoloistError {
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  return new SoloistError('configuration', `${count} in the configuration`, { problems });
}

/** As {@link loadProject}, with the problems as a value. */
export async function readProject(request: ProjectRequest): Promise<ProjectReading> {
  const cwd = request.cwd ?? process.cwd();
  const folder = resolve(cwd, request.folder);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SoloistError('not_found', `there is no folder ${folder}`, { fix: 'check --project' });
  }
  const { file, document, problems } = await readProjectFile(folder, cwd, request.environment);
  const found = findProjectFiles(folder, file, document);
  const sources = projectSources({ folder, cwd, environment: request.environment, flags: request.sourceFlags, document });
  const agents = await loadAgents(found.agents, { cwd, environment: request.environment });
  const value = document?.value ?? {};
  const models = modelsOf(document);
  const modelNames = [...new Set([...Object.keys(value.models ?? {}), 'default'])];
  const { allow, ask, deny } = listsOf(document);
  const { skills, problems: skillProblems } = await loadSkills([
    ...found.skills.map((path) => ({ file: path, label: labelOf(path, cwd), shipped: false })),
    ...filesIn(join(SHIPPED, 'skills'), SKILL_ENDINGS).map((path) => ({ file: path, label: labelOf(path, cwd), shipped: true })),
  ]);
  const memory = memoryOf(value.memory);
  const project: Project = {
    folder,
    ...(file === undefined ? {} : { file }),
    name: typeof value.name === 'string' && value.name.trim() ? value.name.trim() : basename(folder),
    models,
    sources: sources.sources,
    agents: agents.drafts.flatMap(({ spec }) => (spec ? [spec] : [])),
    toolFiles: found.tools,
    memory: { ...memory, ...(found.skills.length > 0 ? { skills: found.skills } : {}) },
    skills,
    permissions: { allow: allow.map(textOf), ask: ask.map(textOf), deny: deny.map(textOf) },
    webhooks: projectSchema.shape.webhooks.safeParse(value.webhooks).data ?? {},
    audit: auditOf(value.audit),
  };
  return {
    project,
    drafts: agents.drafts,
    permissions: [...allow, ...ask, ...deny],
    problems: [
      ...problems,
      ...[...found.problems, ...sources.problems, ...checkModels(document, modelNames)].filter(
        ({ where }) => !document?.unfilled.has(where),
      ),
      ...(document ? checkRedaction(document, memory.redact ?? []) : []),
      ...agents.problems,
      ...skillProblems,
      ...checkAgentFiles(agents.drafts, { models: modelNames, skills: skills.map(({ name }) => name) }),
    ],
  };
}

async function readProjectFile(
  folder: string,
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ file: string | undefined; document: YamlDocument | undefined; problems: readonly Problem[] }> {
  const file = join(folder, 'soloist.yaml');
  if (!existsSync(file)) {
    const other = join(folder, 'soloist.yml');
    const problems = existsSync(other)
      ? [{ where: labelOf(other, cwd), fact: 'the file has another ending', fix: 'name it soloist.yaml' }]
      : [];
    return { file: undefined, document: undefined, problems };
  }
  const synonyms = (path: Path) => (path[0] === 'models' && path.length === 2 ? MODEL_SYNONYMS : undefined);
  const { document, problems } = await readYaml(file, labelOf(file, cwd), { environment, synonyms });
  if (!document) return { file, document, problems };
  const parsed = projectSchema.safeParse(document.value);
  const wrong = parsed.success ? [] : schemaProblems(projectSchema, parsed.error, document);
  return { file, document, problems: [...problems, ...wrong.filter(({ where }) => !document.unfilled.has(where))] };
}

/** Only a folder that says it is a project has code of its own loaded: not whatever lies in a folder of data. */
function findProjectFiles(folder: string, file: string | undefined, document: YamlDocument | undefined) {
  const find = (path: Path, byDefault: readonly string[], endings: readonly string[]) => {
    if (file === undefined) return { files: [], problems: [] };
    const named = document ? referencesAt(document, path) : [];
    const present = byDefault.filter((name) => existsSync(join(folder, name)));
    return findFiles(named.length > 0 ? named : present.map((name) => ({ text: name, shown: name, where: name })), folder, endings);
  };
  const agents = find(['agents'], ['agents'], AGENT_ENDINGS);
  const tools = find(['tools'], ['tools'], TOOL_ENDINGS);
  const skills = find(['memory', 'skills'], ['skills', 'agents/skills'], SKILL_ENDINGS);
  return {
    agents: agents.files,
    tools: tools.files,
    skills: skills.files,
    problems: [...agents.problems, ...tools.problems, ...skills.problems],
  };
}

async function loadAgents(
  own: readonly string[],
  { cwd, environment }: { readonly cwd: string; readonly environment: NodeJS.ProcessEnv },
): Promise<{ drafts: readonly AgentDraft[]; problems: readonly Problem[] }> {
  const files = (paths: readonly string[], shipped: boolean): AgentFile[] =>
    paths.map((file) => ({ file, label: labelOf(file, cwd), shipped }));
  const shippedFiles = filesIn(SHIPPED, AGENT_ENDINGS).filter((file) => !own.includes(file));
  const results = await Promise.all([...files(own, false), ...files(shippedFiles, true)].map((file) => loadAgent(file, environment)));
  const drafts = results.flatMap(({ draft }) => (draft ? [draft] : []));
  const ownNames = new Set(drafts.filter(({ shipped }) => !shipped).map(({ name }) => name?.text));
  const kept = drafts.filter(({ shipped, name }) => !shipped || !ownNames.has(name?.text));
  return { drafts: withJustifications(kept), problems: results.flatMap(({ problems }) => problems) };
}

/** A subagent listed without a reason takes the one its own file gives. */
function withJustifications(drafts: readonly AgentDraft[]): AgentDraft[] {
  const reasons = new Map(drafts.map(({ spec }) => [spec?.name, spec?.justification]));
  return drafts.map((draft) => {
    if (!draft.spec) return draft;
    const subagents = draft.spec.subagents.map((entry) => {
      const own = reasons.get(entry.agent);
      return entry.justification.buys.length === 0 && own ? { ...entry, justification: own } : entry;
    });
    const complete = { ...draft, spec: { ...draft.spec, subagents } };
    rememberDraft(complete.spec, complete);
    return complete;
  });
}

function textOf({ text }: Reference): string {
  return text;
}

function listsOf(document: YamlDocument | undefined) {
  const list = (name: string) => (document ? referencesAt(document, ['permissions', name]) : []);
  return { allow: list('allow'), ask: list('ask'), deny: list('deny') };
}

function memoryOf(value: unknown): MemorySettings {
  const parsed = projectSchema.shape.memory.safeParse(value);
  if (!parsed.success || !parsed.data) return {};
  const { skills: _, ...rest } = parsed.data;
  return withoutUndefined(rest);
}

function auditOf(value: unknown): AuditThresholds {
  const { data } = projectSchema.shape.audit.safeParse(value);
  const asked = data && {
    overlappingChildren: data.overlapping_children,
    parallelSpeedup: data.parallel_speedup,
    isolationRatio: data.isolation_ratio,
    reasoningSteps: data.reasoning_steps,
    delegationsToJudge: data.delegations_to_judge,
    shareToKeep: data.share_to_keep,
  };
  return { ...DEFAULT_THRESHOLDS, ...withoutUndefined(asked ?? {}) };
}

/** Entries that the schema accepts, by name; `default` is filled in. */
function modelsOf(document: YamlDocument | undefined): Record<string, ModelSettings> {
  const models: Record<string, ModelSettings> = {};
  for (const [name, entry] of Object.entries(document?.value.models ?? {})) {
    const parsed = projectSchema.shape.models.safeParse({ [name]: entry });
    const settings = parsed.success ? parsed.data?.[name] : undefined;
    if (settings === undefined) continue;
    if (typeof settings === 'string') models[name] = { model: settings };
    else {
      const { keep_alive: keepAlive, context_tokens: contextTokens, allow_remote: allowRemote, fallback, ...rest } = settings;
      const list = typeof fallback === 'string' ? [fallback] : fallback;
      models[name] = withoutUndefined({ ...rest, keepAlive, contextTokens, allowRemote, fallback: list }) as ModelSettings;
    }
  }
  models.default ??= { model: 'auto' };
  return models;
}

/** A named model stands for a provider's, not for another name; a fallback may be either. */
function checkModels(document: YamlDocument | undefined, names: readonly string[]): Problem[] {
  const declared = document?.value.models;
  if (!document || typeof declared !== 'object' || declared === null) return [];
  return Object.entries(declared).flatMap(([name, entry]) => {
    const path = typeof entry === 'string' ? ['models', name] : ['models', name, 'model'];
    const model = referenceAt(document, path);
    const fallback = referencesAt(document, ['models', name, 'fallback']);
    return [...(model ? checkModel(model, []) : []), ...fallback.flatMap((one) => checkModel(one, names))];
  });
}
