import type { EventBody } from '../core/event.ts';
import { FORGOTTEN } from './log-texts.ts';

/** What says where an event stands, not what was said: it stays, so that a run can still be read. */
const KEPT = new Set([
  ...['type', 'status', 'finish', 'kind', 'role', 'why', 'buys', 'by', 'decision', 'limit', 'confidence', 'reason', 'code', 'salvaged'],
  ...['id', 'callId', 'resultId', 'toolCallId', 'path', 'agent', 'tool', 'toolName', 'name', 'model', 'version', 'tools', 'evidence'],
]);
/** What is emptied whole: names and figures in it are content too. */
const EMPTIED = new Set(['arguments', 'inputs']);

/** The body without what was said in it: its shape, ids and figures of use stay. */
export function blankBody(body: EventBody): EventBody {
  return blank(body, '') as EventBody;
}

function blank(value: unknown, key: string): unknown {
  if (typeof value === 'string') return KEPT.has(key) || value === '' ? value : FORGOTTEN;
  if (Array.isArray(value)) return value.map((item) => blank(item, key));
  if (value === null || typeof value !== 'object') return value;
  if (EMPTIED.has(key)) return {};
  // A payload's hash would lead to nothing.
  const entries = Object.entries(value).filter(([name]) => name !== 'reference' && name !== 'fullText');
  return Object.fromEntries(entries.map(([name, item]) => [name, blank(item, name)]));
}
