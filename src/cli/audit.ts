import type { Command } from 'commander';
import { auditAgents, auditSession, renderAgentsAudit, renderSessionAudit } from '../app/audit-session.ts';
import { openWorkspace } from '../app/workspace.ts';
import { SoloistError } from '../core/errors.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

interface AuditFlags {
  readonly all?: boolean;
  readonly json?: boolean;
}

export function registerAudit(program: Command, services: CliServices): void {
  const command = program
    .command('audit')
    .description('say from the log whether each delegation paid, and what it would have cost inline')
    .argument('[session]', 'id of a session, the beginning of one, or -1 for the latest')
    .option('--all', 'all sessions, added up by agent, with a recommendation for each')
    .option('--json', 'print one JSON object');
  withProjectOptions(command).action(async (session: string | undefined, flags: AuditFlags, self: Command) => {
    if ((session === undefined) === (flags.all !== true)) {
      throw new SoloistError('usage', session ? 'a session and --all exclude each other' : 'no session is named', {
        fix: 'soloist audit -1, or soloist audit --all',
      });
    }
    const workspace = await openWorkspace(projectOptions(self, services));
    try {
      if (session !== undefined) {
        const report = await auditSession(workspace, session);
        services.out(flags.json ? `${JSON.stringify(report)}\n` : renderSessionAudit(report));
      } else {
        const report = await auditAgents(workspace);
        services.out(flags.json ? `${JSON.stringify(report)}\n` : renderAgentsAudit(report));
      }
    } finally {
      await workspace.close();
    }
  });
}
