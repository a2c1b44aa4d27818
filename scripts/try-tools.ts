// Puts every file of a folder through every tool that fits its kind: npm run try -- DIR [--verbose]
import { readdirSync, statSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { callTool } from '../src/app/call-tool.ts';
import { openWorkspace, type Workspace } from '../src/app/workspace.ts';
import { type Claim, checkIndependently } from './try/check-independently.ts';
import { type FileKind, kindOf, planFor } from './try/plan-for.ts';
import { renderTable, type Trial } from './try/render-table.ts';

const MOST_CHARACTERS = 10_000;
const MOST_SECONDS = 60;

/** One call, judged: `wrong` is a crash, an unexplained failure, a result too large, or one that took too long. */
async function attempt(
  workspace: Workspace,
  file: string,
  kind: FileKind,
  call: { tool: string; input: Record<string, unknown> },
): Promise<Trial & { result?: unknown }> {
  const started = performance.now();
  const trial = (outcome: Trial['outcome'], detail: string, result?: unknown) => ({
    ...{ file, kind, tool: call.tool, outcome, detail, seconds: (performance.now() - started) / 1000 },
    ...(result === undefined ? {} : { result }),
  });
  try {
    const { again: _, ...result } = await callTool(workspace, call.tool, call.input);
    const size = JSON.stringify(result).length;
    const said = `${result.warnings.map(({ code }) => code).join(', ')} ${(result.data as { message?: string }).message ?? ''}`.trim();
    if (size > MOST_CHARACTERS) return trial('wrong', `the result has ${size} characters`);
    if (performance.now() - started > MOST_SECONDS * 1000) return trial('wrong', 'it took too long');
    if (result.status === 'error' && /^(tool_failed|timeout)/.test(said)) return trial('wrong', said);
    if (result.status === 'error' || result.status === 'refused') return trial('refused', said);
    return trial('ok', said, result);
  } catch (error) {
    return trial('wrong', `threw: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Every tool that fits one file; what it says of rows and sums is put to another reader at the end. */
async function tryFile(path: string, shown: string, environment: NodeJS.ProcessEnv): Promise<{ trials: Trial[]; claims: Claim[] }> {
  const kind = await kindOf(path);
  const flag = kind === 'sqlite' || kind === 'duckdb' ? `data=${kind}:${path}` : `data=files:${path}`;
  const logs = kind === 'log' ? [`logs=logs:${path}`] : [];
  const workspace = await openWorkspace({ folder: resolve('.'), sourceFlags: [flag, ...logs], environment });
  const trials: Trial[] = [];
  const claims: Claim[] = [];
  try {
    const plan = planFor({ kind, path: relative(join(path, '..'), path) });
    for await (const call of plan.calls((call) => attempt(workspace, shown, kind, call))) trials.push(call);
    claims.push(...plan.claims(path, shown));
  } finally {
    await workspace.close();
  }
  return { trials, claims };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

const [folder = '.', ...flags] = process.argv.slice(2);
const root = resolve(folder);
const trials: Trial[] = [];
const claims: Claim[] = [];
for (const path of statSync(root).isDirectory() ? filesBelow(root) : [root]) {
  if (extname(path) === '.md') continue;
  const shown = relative(root, path) || path;
  const one = await tryFile(path, shown, process.env);
  trials.push(...one.trials);
  claims.push(...one.claims);
  if (flags.includes('--verbose')) process.stderr.write(`${shown}: ${one.trials.length} calls\n`);
}
const checked = checkIndependently(claims);
process.stdout.write(renderTable([...trials, ...checked.trials], checked.note));
process.exitCode = [...trials, ...checked.trials].some(({ outcome }) => outcome === 'wrong') ? 1 : 0;
