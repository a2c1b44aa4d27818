import type { Event, EventBody, EventLog } from '../core/event.ts';
import { type AgentState, applyEvent, emptyState } from './agent-state.ts';
import { type SharedCommit, sharedCommitOf } from './shared-commit.ts';

export interface RecorderOptions {
  readonly log: EventLog;
  readonly session: string;
  readonly round: number;
  /** `main`, or the id of the child's conclusion. */
  readonly agent: string;
  readonly now: () => Date;
  readonly listeners: readonly ((event: Event) => void)[];
  /** Events of this agent from an earlier process, when a session is resumed. */
  readonly past?: Iterable<Event>;
}

/**
 * Writes one agent's events and keeps its state: nothing enters the state that is not an event. Recorded events wait
 * for `flush`, which appends them in one transaction and then tells the listeners, so that what is told is on disk. A
 * child's flush shares the transaction of other children: `settled` waits for it.
 */
export class Recorder {
  readonly state: AgentState = emptyState();
  private waiting: Event[] = [];
  /** The number of the last batch that shares a commit. */
  private shared = 0;
  private readonly options: RecorderOptions;
  private readonly commits: SharedCommit;

  constructor(options: RecorderOptions) {
    this.options = options;
    this.commits = sharedCommitOf(options.log);
    for (const event of options.past ?? []) applyEvent(this.state, event);
  }

  get session(): string {
    return this.options.session;
  }

  get log(): EventLog {
    return this.options.log;
  }

  /** Begins the next step: the events that follow carry its number. */
  nextStep(): void {
    this.state.step++;
  }

  record(body: EventBody): void {
    const { session, round, agent, now } = this.options;
    const event: Event = { session, round, step: this.state.step, agent, sequence: this.state.sequence, at: now().getTime(), body };
    applyEvent(this.state, event);
    this.waiting.push(event);
  }

  flush(): void {
    if (this.waiting.length === 0) return;
    if (this.options.agent !== 'main') this.flushSoon();
    else this.commits.add(this.takeWaiting());
  }

  /** Flushes with the next commit of any agent, at the latest within ten milliseconds. */
  flushSoon(): void {
    if (this.waiting.length > 0) this.shared = this.commits.addSoon(this.takeWaiting());
  }

  /** Resolves once all that this agent flushed is on disk; nothing when it already is. Rejects with the log's own error. */
  settled(): Promise<void> | undefined {
    return this.commits.settled(this.shared);
  }

  private takeWaiting() {
    const events = this.waiting;
    this.waiting = [];
    return { events, listeners: this.options.listeners };
  }
}
