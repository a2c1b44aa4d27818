import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseModel } from '../../src/app/choose-model.ts';
import type { RunReport } from '../../src/app/run-report.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { Scope } from '../../src/core/scope.ts';

export interface Question {
  readonly question: string;
  /** As `--source` takes them. */
  readonly sources?: readonly string[];
  /** As `--project` takes it; an empty folder unless given. */
  readonly project?: string;
}

/** Runs the shipped investigator with its rules, with the real tools, sources and log, and answers what `run --json` prints. */
export async function askInvestigator({ question, sources = [], project }: Question): Promise<RunReport> {
  const home = mkdtempSync(join(tmpdir(), 'soloist-ask-'));
  const workspace = await openWorkspace({
    folder: project ?? home,
    sourceFlags: sources,
    environment: { SOLOIST_HOME: join(home, 'log'), HOME: home },
  });
  const scope = new Scope();
  try {
    const agent = workspace.agent('investigator');
    const { model } = await chooseModel(workspace, agent, 'rules');
    return await runSession({ workspace, agent, question, model, scope, work: new Scope(scope) });
  } finally {
    await workspace.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The claims of the findings of one kind. */
export function claims(report: RunReport, kind: string): readonly string[] {
  return report.findings.filter((finding) => finding.kind === kind).map((finding) => finding.claim);
}
