import type { Scope } from '../../core/scope.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { AirflowAnswer, AirflowClient } from './airflow-client.ts';
import type { AirflowEntry } from './read-entry.ts';

/** The first page of a listing could not be had: nothing is known. */
export class AirflowRequestError extends Error {
  readonly reason: Extract<AirflowAnswer, { ok: false }>['reason'];
  constructor(failure: Extract<AirflowAnswer, { ok: false }>) {
    super(failure.message);
    this.name = 'AirflowRequestError';
    this.reason = failure.reason;
  }
}

export interface Listing {
  readonly entries: readonly AirflowEntry[];
  /** As the server counts them. */
  readonly total: number;
  readonly complete: boolean;
  readonly warnings: readonly ToolWarning[];
}

export interface ListingRequest {
  readonly path: string;
  /** The field of an answer that holds the entries. */
  readonly field: 'dag_runs' | 'task_instances' | 'pools';
  readonly query?: Readonly<Record<string, string | number>>;
}

const PAGE = 100;
const MOST_PAGES = 200;

/**
 * Reads all pages of a listing. A page that fails, or a listing of more than 20,000 entries, ends it: what was read is
 * given as incomplete.
 *
 * @throws AirflowRequestError when the first page cannot be had.
 */
export async function readListing(client: AirflowClient, request: ListingRequest, scope: Scope): Promise<Listing> {
  const entries: AirflowEntry[] = [];
  const cut = (code: string, why: string, total: number): Listing => ({
    entries,
    total,
    complete: false,
    warnings: [{ code, message: `${request.path}: ${entries.length} of ${total} entries were read: ${why}` }],
  });
  let total = 0;
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await client.get(request.path, { ...request.query, limit: PAGE, offset: entries.length }, scope);
    if (!answer.ok) {
      if (page === 0) throw new AirflowRequestError(answer);
      return cut('page_failed', answer.message, total);
    }
    const { [request.field]: items, total_entries: stated } = (answer.value ?? {}) as Record<string, unknown>;
    if (!Array.isArray(items)) {
      if (page > 0) return cut('page_failed', `the answer has no "${request.field}"`, total);
      const message = `${client.location}${request.path} answered without "${request.field}"; is this Airflow's API?`;
      throw new AirflowRequestError({ ok: false, reason: 'not_json', message });
    }
    for (const item of items) if (item !== null && typeof item === 'object') entries.push(item as AirflowEntry);
    total = typeof stated === 'number' ? stated : entries.length;
    if (entries.length >= total) return { entries, total, complete: true, warnings: [] };
    if (items.length === 0) return cut('page_empty', 'the server gave an empty page before the end', total);
  }
  return cut('too_many_entries', `the limit is ${MOST_PAGES * PAGE}; ask for less`, total);
}
