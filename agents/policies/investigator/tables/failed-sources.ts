import type { ToolWarning } from '../../../../src/core/tool-result.ts';
import { type Finding, type PartReport, tell } from '../part-report.ts';

/** Sources that could not be opened, with the reason: what they hold is unknown. */
export function failedSources({ id, warnings }: { readonly id: string; readonly warnings: readonly ToolWarning[] }): PartReport {
  const failed = warnings.filter(({ code }) => code === 'source_failed').map(({ message }) => `A source could not be read: ${message}`);
  return tell(...failed.map((claim): Finding => ({ kind: 'not_checked', claim: `${claim}.`, evidence: [id], confidence: 'low' })));
}
