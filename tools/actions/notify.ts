import { z } from 'zod';
import { suggestName } from '../../src/core/nearest.ts';
import { defineTool } from '../../src/core/tool.ts';
import { complete, failed, refused } from '../../src/core/tool-result.ts';
import { isDryRun } from './change-runs.ts';

/** Sends a message to one of the project's webhooks. */
export const notify = defineTool({
  name: 'notify',
  description:
    'Sends a short message to a webhook of the project, such as the on-call channel. By default it only shows what would be sent and where; with dry_run false it asks a person first.',
  input: z.object({
    webhook: z.string().min(1).describe('Its name under webhooks of soloist.yaml'),
    text: z.string().min(1).max(4000),
    dry_run: z.boolean().default(true).describe('true shows what would be sent; false sends it, after approval'),
  }),
  output: z.object({ dry_run: z.boolean(), webhook: z.string(), host: z.string(), text: z.string(), status: z.number().optional() }),
  effect: 'write',
  example: { webhook: 'oncall', text: 'nightly_sales took 6494.8 s; reload_2025 held 12 of 16 slots' },
  isDryRun,
  async run({ webhook, text, dry_run: dryRun }, { webhooks, scope, now }) {
    const host = webhooks?.hostOf(webhook);
    if (!webhooks || host === undefined) {
      const names = webhooks?.names ?? [];
      const fix = names.length > 0 ? suggestName(webhook, names) : 'name one under webhooks of soloist.yaml';
      return refused('unknown_webhook', `there is no webhook "${webhook}"; ${fix}`);
    }
    if (dryRun) return complete({ dry_run: true, webhook, host, text }, { asOf: now() });
    const delivery = await webhooks.send(webhook, { text }, scope.signal);
    if (!delivery.ok) return failed('not_delivered', delivery.message);
    return complete({ dry_run: false, webhook, host, text, status: delivery.status }, { asOf: now() });
  },
});
