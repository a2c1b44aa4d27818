import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SuiteSpec } from '../bench/suite-spec.ts';
import { type Arm, teamOf } from './bench-arms.ts';
import { VERSION } from './version.ts';
import type { Workspace } from './workspace.ts';

/** Of what results depend on: the suite, its agents with their rules, generators and functions, and how it was asked for. */
export function fingerprintOf(
  workspace: Workspace,
  suite: SuiteSpec,
  { arms, asked }: { readonly arms: readonly Arm[]; readonly asked: unknown },
): string {
  const hash = createHash('sha256');
  const add = (text: string): void => void hash.update(`${text.length} `).update(text);
  add(VERSION);
  add(JSON.stringify(asked));
  const agents = arms.flatMap(({ agent }) => teamOf(workspace, agent).map(({ file }) => file));
  const functions = suite.cases.flatMap(({ expect }) => expect.flatMap((check) => (check.kind === 'function' ? [check.file] : [])));
  const generators = suite.cases.flatMap(({ setup }) => (setup ? [setup.generator] : []));
  const beside = [...functions, ...generators].flatMap((file) => modulesIn(dirname(file)));
  const files = [
    suite.file,
    ...agents,
    ...agents.flatMap(policiesOf),
    ...skillsOf(workspace, arms),
    ...functions,
    ...generators,
    ...beside,
  ];
  for (const file of [...new Set(files)].sort()) {
    add(basename(file));
    add(readFileSync(file, 'utf8'));
  }
  return hash.digest('hex');
}

/** The files of the skills that any agent names. */
function skillsOf(workspace: Workspace, arms: readonly Arm[]): string[] {
  const named = new Set(arms.flatMap(({ agent }) => [agent, ...teamOf(workspace, agent)].flatMap(({ skills }) => skills)));
  return workspace.project.skills.filter(({ name }) => named.has(name)).map(({ file }) => file);
}

/** The rules that stand in for a model beside an agent's file, with what they may import. */
function policiesOf(agentFile: string): string[] {
  const folder = join(dirname(agentFile), 'policies');
  return existsSync(folder) ? modulesIn(folder, true) : [];
}

function modulesIn(folder: string, recursive = false): string[] {
  return readdirSync(folder, { recursive, encoding: 'utf8' })
    .filter((file) => /\.m?[jt]s$/.test(file))
    .map((file) => join(folder, file));
}
