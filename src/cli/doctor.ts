import type { Command } from 'commander';
import pc from 'picocolors';
import type { DoctorCheck } from '../app/doctor.ts';
import { examineProject } from '../app/doctor-configuration.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

export function registerDoctor(program: Command, services: CliServices): void {
  const command = program
    .command('doctor')
    .description('check Node, SQLite, DuckDB, the log, the sources and the models, and say what to do')
    .option('--json', 'as JSON');
  withProjectOptions(command).action(async (flags: { json?: boolean }, self: Command) => {
    const checks: DoctorCheck[] = [];
    for await (const check of examineProject(projectOptions(self, services))) {
      checks.push(check);
      if (!flags.json) services.out(`${lineOf(check, services.color.out)}\n`);
    }
    if (flags.json) services.out(`${JSON.stringify({ checks })}\n`);
    process.exitCode = checks.some((check) => check.status === 'failed') ? 1 : 0;
  });
}

function lineOf({ name, status, found, fix }: DoctorCheck, color: boolean): string {
  const paint = pc.createColors(color);
  const colors = { ok: paint.green, warning: paint.yellow, failed: paint.red, skipped: paint.dim };
  return `${colors[status](status.padEnd(8))} ${name.padEnd(18)} ${found}${fix ? `\n${' '.repeat(28)}→ ${fix}` : ''}`;
}
