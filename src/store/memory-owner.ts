import { SoloistError } from '../core/errors.ts';

/** Whose memory it is, and what of the log belongs to it. */
export interface MemoryOwner {
  /** What notes, pieces and cursors are kept under. */
  readonly tenant: string;
  /** The tenant of the log that they are made from. Their ids follow from it, so that they are the same wherever a folder stands. */
  readonly log: string;
  /** A condition on rows of `events`: those of its own sessions. */
  readonly own: string;
}

const NAME = /^[a-z0-9-]{1,60}$/;

/** The memory that all sessions of the tenant share, or that of some alone: each session belongs to one. */
export function memoryOwner(tenant: string, memory?: string): MemoryOwner {
  const row = 'SELECT 1 FROM session_memories m WHERE m.tenant = events.tenant AND m.session = events.session';
  if (memory === undefined) return { tenant, log: tenant, own: `NOT EXISTS (${row})` };
  if (!NAME.test(memory)) throw new SoloistError('internal', `"${memory}" is no name of a memory`);
  return { tenant: `${tenant}/${memory}`, log: tenant, own: `EXISTS (${row} AND m.memory = '${memory}')` };
}
