import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { suiteSchema } from '../bench/suite-schema.ts';
import type { BudgetSpec, CaseSpec, CheckSpec, DesignSpec, SuiteSpec } from '../bench/suite-spec.ts';
import { labelOf } from '../config/find-files.ts';
import { withoutUndefined } from '../config/load-agents.ts';
import { configurationError } from '../config/load-project.ts';
import { readYaml } from '../config/read-yaml.ts';
import { schemaProblems } from '../config/schema-problems.ts';
import type { Path, YamlDocument } from '../config/yaml-document.ts';
import type { Problem } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';
import { readCheck } from './bench-read-checks.ts';

type SuiteYaml = z.output<typeof suiteSchema>;

/** A suite and where each of its values stands in its file. */
export interface LoadedSuite {
  readonly suite: SuiteSpec;
  readonly document: YamlDocument;
}

/**
 * Reads a suite file.
 *
 * @throws SoloistError `configuration` with every problem, each at its line and column.
 */
export async function loadSuite(file: string, cwd: string, environment: NodeJS.ProcessEnv): Promise<LoadedSuite> {
  const isLiteral = (path: Path): boolean => path.at(-1) !== 'model' && path.at(-1) !== 'source';
  const { document, problems } = await readYaml(file, labelOf(file, cwd), { environment, isLiteral });
  if (!document) throw configurationError(problems);
  const parsed = suiteSchema.safeParse(document.value);
  if (!parsed.success) throw configurationError([...problems, ...schemaProblems(suiteSchema, parsed.error, document)]);
  const found: Problem[] = [...problems];
  const suite = suiteOf(parsed.data, document, found);
  found.push(...checkNames(parsed.data, document), ...checkFiles(suite, document));
  if (found.length > 0) throw configurationError(found);
  return { suite, document };
}

function suiteOf(yaml: SuiteYaml, document: YamlDocument, problems: Problem[]): SuiteSpec {
  const folder = dirname(document.file);
  const checks = (list: SuiteYaml['expect'], path: Path): CheckSpec[] =>
    (list ?? []).flatMap((one, index) => {
      const reading = readCheck(one, [...path, index], { document, folder });
      problems.push(...reading.problems);
      return reading.check ? [reading.check] : [];
    });
  const common = checks(yaml.expect, ['expect']);
  const simulate = yaml.simulate ?? {};
  return {
    name: yaml.name,
    about: yaml.about.replace(/\s+/g, ' '),
    claim: (yaml.claim ?? '').replace(/\s+/g, ' '),
    file: document.file,
    folder,
    project: yaml.project === undefined ? undefined : resolve(folder, yaml.project),
    model: yaml.model ?? 'auto',
    baseline: yaml.baseline ?? Object.keys(yaml.designs)[0] ?? '',
    varies: yaml.varies ?? [],
    designs: Object.entries(yaml.designs).map(([name, design]) => designOf(name, design, folder)),
    cases: yaml.cases.map((one, index) => caseOf(one, [...common, ...checks(one.expect, ['cases', index, 'expect'])], folder)),
    repeat: yaml.repeat ?? 1,
    seeds: yaml.seeds ?? [1],
    budget: budgetOf(yaml.budget),
    simulate: {
      promptTokensPerSecond: simulate.prompt_tokens_per_second ?? 800,
      outputTokensPerSecond: simulate.output_tokens_per_second ?? 40,
      slots: simulate.slots ?? 4,
      toolMs: simulate.tool_ms ?? 50,
      toolsAtOnce: simulate.tools_at_once ?? 8,
      cache: yaml.cache ?? 'prefix',
    },
    price: yaml.price ? withoutUndefined(yaml.price) : undefined,
    axis: yaml.axis,
    judge: yaml.judge,
  };
}

function designOf(name: string, yaml: SuiteYaml['designs'][string], folder: string): DesignSpec {
  const isFile = /\.ya?ml$/.test(yaml.agent);
  return {
    name,
    about: (yaml.about ?? '').replace(/\s+/g, ' '),
    agent: isFile ? resolve(folder, yaml.agent) : yaml.agent,
    model: yaml.model,
    tools: yaml.tools,
    instructions: yaml.instructions,
    skills: yaml.skills,
    appends: yaml.appends,
    memory: yaml.memory ?? false,
    limits: budgetOf(yaml.limits),
  };
}

function caseOf(yaml: SuiteYaml['cases'][number], expect: readonly CheckSpec[], folder: string): CaseSpec {
  const { setup } = yaml;
  return {
    id: yaml.id,
    task: yaml.task,
    sources: yaml.source === undefined ? [] : [yaml.source].flat(),
    setup: setup ? { generator: resolve(folder, setup.generator), parameters: setup.with ?? {} } : undefined,
    tags: yaml.tags ?? [],
    x: yaml.x,
    expect,
  };
}

function budgetOf(yaml: SuiteYaml['budget']): BudgetSpec {
  const { tool_calls: toolCalls, context: contextTokens, output: outputTokens, turns, tokens, seconds } = yaml ?? {};
  return withoutUndefined({ turns, tokens, seconds, toolCalls, contextTokens, outputTokens });
}

/** Names given twice, or that stand for nothing. */
function checkNames(yaml: SuiteYaml, document: YamlDocument): Problem[] {
  const problems: Problem[] = [];
  const designs = Object.keys(yaml.designs);
  if (designs.length === 0) problems.push({ where: document.where(['designs']), fact: 'the suite has no design', fix: 'add one' });
  if (yaml.baseline !== undefined && !designs.includes(yaml.baseline)) {
    const fact = `there is no design "${yaml.baseline}"`;
    problems.push({ where: document.where(['baseline']), fact, fix: suggestName(yaml.baseline, designs) });
  }
  for (const [index, { id }] of yaml.cases.entries()) {
    if (yaml.cases.findIndex((other) => other.id === id) < index)
      problems.push({ where: document.where(['cases', index, 'id']), fact: `case "${id}" is declared twice`, fix: 'rename one of them' });
  }
  for (const [index, seed] of (yaml.seeds ?? []).entries()) {
    if (yaml.seeds?.indexOf(seed) !== index)
      problems.push({ where: document.where(['seeds', index]), fact: `seed ${seed} is given twice`, fix: 'use `repeat` to run it again' });
  }
  const asked = [...(yaml.expect ?? []), ...yaml.cases.flatMap(({ expect = [] }) => expect)].some(({ judge }) => judge !== undefined);
  if (asked && yaml.judge === undefined)
    problems.push({ where: document.where([]), fact: 'a check asks a judge and the suite names none', fix: 'add `judge: ollama/<name>`' });
  return problems;
}

function checkFiles(suite: SuiteSpec, document: YamlDocument): Problem[] {
  const missing = suite.cases.flatMap(({ setup }, index) =>
    setup && !existsSync(setup.generator) ? [{ where: document.where(['cases', index, 'setup', 'generator']), path: setup.generator }] : [],
  );
  const problems: Problem[] = missing.map(({ where, path }) => ({
    where,
    fact: `there is no file ${path}`,
    fix: 'check the path; it is relative to the suite',
  }));
  if (suite.project !== undefined && !existsSync(suite.project))
    problems.push({ where: document.where(['project']), fact: `there is no folder ${suite.project}`, fix: 'check the path' });
  return problems;
}
