import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import type { CliServices } from './services.ts';

export function registerInit(program: Command, services: CliServices): void {
  program
    .command('init')
    .description('write a small working project with comments')
    .argument('[dir]', 'the folder; made if need be (default: --project, else the current folder)')
    .option('--json', 'as JSON')
    .action(async (dir: string | undefined, flags: { json?: boolean }) => {
      const outer = program.opts() as { project?: string };
      const folder = resolve(services.cwd, dir ?? outer.project ?? '.');
      const { initProject } = await import('../app/init-project.ts');
      const files = initProject(folder);
      if (flags.json) services.out(`${JSON.stringify({ folder, files })}\n`);
      else services.out(renderWelcome(files, relative(services.cwd, folder)));
    });
}

function renderWelcome(files: readonly string[], folder: string): string {
  const lines = [
    'Wrote:',
    ...files.map((file) => `  ${file}`),
    '',
    'Next:',
    ...(folder === '' ? [] : [`  cd ${/[^\w./-]/.test(folder) ? JSON.stringify(folder) : folder}`]),
    '  soloist agents check',
    '  soloist run my-investigator "Which orders came late?"',
    '  soloist tools call count_late_orders --input \'{"days": 2}\'',
  ];
  return `${lines.join('\n')}\n`;
}
