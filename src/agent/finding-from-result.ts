import type { EventBody } from '../core/event.ts';
import type { Finding } from '../core/tool.ts';

/** The tool whose results are an agent's findings. */
export const FINDING_TOOL = 'record_finding';

/** The finding that a result of the finding tool holds; `undefined` for any other result. */
export function findingFromResult(body: Extract<EventBody, { type: 'tool.finished' }>): Finding | undefined {
  if (body.tool !== FINDING_TOOL || body.status !== 'ok') return undefined;
  const parsed = JSON.parse(body.content) as { data?: { finding?: Omit<Finding, 'id'> } };
  return parsed.data?.finding ? { id: body.resultId, ...parsed.data.finding } : undefined;
}
