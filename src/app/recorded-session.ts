import { resolve } from 'node:path';
import { SoloistError } from '../core/errors.ts';
import type { Event } from '../core/event.ts';
import type { ChatModel } from '../core/model.ts';
import { recordedModel } from '../models/recorded.ts';
import type { ReplayReport } from './replay-report.ts';
import { replaySession } from './replay-session.ts';
import { openWorkspace } from './workspace.ts';

/** A session that was recorded once, as a fixture of a test. */
export interface RecordedSession {
  readonly session: string;
  readonly agent: string;
  readonly question: string;
  /** The main agent's conclusion; absent for a session that did not end. */
  readonly answer: string | undefined;
  readonly events: readonly Event[];
  /** What an agent's model answered then, in order: `main`, or the id of a child. */
  model(path?: string): ChatModel;
  /**
   * Runs the session again in a project's folder with the recorded replies, and with recorded tools unless told otherwise:
   * then neither a model nor the data is needed.
   */
  replay(options: RecordedReplay): Promise<ReplayReport>;
}

interface RecordedReplay {
  readonly folder: string;
  readonly tools?: 'live' | 'recorded';
  /** As `--source` takes them, for live tools. */
  readonly sources?: readonly string[];
}

/**
 * Reads what `soloist trace export SESSION` prints.
 *
 * @throws SoloistError `usage` when the text is no such recording
 */
export function recordedSession(jsonLines: string): RecordedSession {
  const events = parseLines(jsonLines);
  const opened = events.find(({ body }) => body.type === 'session.opened');
  if (opened?.body.type !== 'session.opened') throw notRecorded('it has no session.opened event');
  const { session } = opened;
  const concluded = events.findLast(({ agent, body }) => agent === 'main' && body.type === 'agent.concluded')?.body;
  const started = new Map(events.flatMap(({ agent, body }) => (body.type === 'agent.started' ? [[agent, body.model] as const] : [])));
  return {
    session,
    agent: opened.body.agent,
    question: opened.body.question,
    answer: concluded?.type === 'agent.concluded' ? concluded.conclusion.text : undefined,
    events,
    model: (path = 'main') =>
      recordedModel(
        started.get(path) ?? 'recorded',
        events.filter(({ agent }) => agent === path),
      ),
    replay: async ({ folder, tools = 'recorded', sources = [] }) => {
      const workspace = await openWorkspace({ folder: resolve(folder), sourceFlags: sources, environment: process.env });
      try {
        return await replaySession({ workspace, session, events, tools });
      } finally {
        await workspace.close();
      }
    },
  };
}

function parseLines(text: string): Event[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    try {
      const event = JSON.parse(line) as Event;
      if (typeof event.body?.type === 'string' && typeof event.agent === 'string') return event;
    } catch {
      // Told below, with the line.
    }
    throw notRecorded(`line ${index + 1} is no event`);
  });
}

function notRecorded(fact: string): SoloistError {
  return new SoloistError('usage', `this is no recorded session: ${fact}`, {
    fix: 'make one with `soloist trace export SESSION > session.jsonl`',
  });
}
