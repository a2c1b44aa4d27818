import type { Command } from 'commander';
import { type DoctorCheck, runDoctor } from '../app/doctor.ts';
import { openWorkspace } from '../app/workspace.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

export function registerDoctor(program: Command, services: CliServices): void {
  const command = program
    .command('doctor')
    .description('check Node, SQLite, DuckDB, the log, the sources and the models, and say what to do')
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (flags: { json?: boolean }, self: Command) => {
    const workspace = await openWorkspace(projectOptions(self, services));
    const checks: DoctorCheck[] = [];
    try {
      for await (const check of runDoctor(workspace)) {
        checks.push(check);
        if (!flags.json) services.out(`${lineOf(check)}\n`);
      }
    } finally {
      await workspace.close();
    }
    if (flags.json) services.out(`${JSON.stringify({ checks })}\n`);
    process.exitCode = checks.some((check) => check.status === 'failed') ? 1 : 0;
  });
}

function lineOf({ name, status, found, fix }: DoctorCheck): string {
  return `${status.padEnd(8)} ${name.padEnd(18)} ${found}${fix ? `\n${' '.repeat(28)}→ ${fix}` : ''}`;
}
