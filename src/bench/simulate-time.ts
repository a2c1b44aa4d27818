import type { Event, EventBody } from '../core/event.ts';
import { EventClock, Lanes } from './event-clock.ts';
import type { SimulatedSpeed } from './suite-spec.ts';

/** A session's events with the times and the cached tokens that the stated speed gives them. */
export interface SimulatedSession {
  readonly wallMs: number;
  /** In the order of the simulated time; `at` counts from 0. */
  readonly events: readonly Event[];
}

type Delegation = Extract<EventBody, { type: 'delegation.started' }>;

interface World {
  readonly speed: SimulatedSpeed;
  readonly clock: EventClock;
  /** Places of the model server, shared by the whole tree of agents. */
  readonly slots: Lanes;
  /** Runs of each agent still to be played: a child that goes on has several. */
  readonly runs: ReadonlyMap<string, Event[][]>;
  /** What a conversation holds in the cache. */
  readonly cached: Map<string, number>;
  readonly played: Event[];
}

/**
 * Works out from a session's log how long it would take on a model server of a stated speed: a discrete-event
 * simulation of its model calls, tool calls and children, in the order and with the concurrency that the log shows.
 *
 * - A model call takes a slot from its start to its end: fresh prompt tokens ÷ reading speed + output tokens ÷ writing speed.
 *   Calls wait for a slot, first come, first served; slots do not slow one another down.
 * - With the prefix cache, fresh is what was neither sent nor written before in the same conversation; a shortened
 *   history is read again whole. Nothing is shared between conversations.
 * - A tool call takes a stated time, the calls of one turn side by side; a call of a subagent takes what its children take,
 *   as many at once as the agent's file allows. Nothing else takes time.
 *
 * The same log gives the same result on every machine.
 */
export function simulateTime(events: Iterable<Event>, speed: SimulatedSpeed): SimulatedSession {
  const runs = new Map<string, Event[][]>();
  for (const event of events) {
    const parts = runs.get(event.agent) ?? [[]];
    runs.set(event.agent, parts);
    parts.at(-1)?.push(event);
    if (event.body.type === 'agent.concluded' && event.agent !== 'main') parts.push([]);
  }
  const clock = new EventClock();
  const world: World = { speed, clock, slots: new Lanes(speed.slots), runs, cached: new Map(), played: [] };
  let wallMs = 0;
  playRun(world, 'main', () => {
    wallMs = clock.now;
  });
  clock.run();
  return { wallMs: Math.round(wallMs), events: world.played };
}

/** Plays the next run of an agent, event by event, then goes on with `done`. */
function playRun(world: World, agent: string, done: () => void): void {
  const events = world.runs.get(agent)?.shift() ?? [];
  let place = 0;
  const delegations = new Map(events.flatMap(({ body }) => (body.type === 'delegation.started' ? [[body.resultId, body] as const] : [])));
  const next = (): void => {
    const event = events[place++];
    if (!event) done();
    else if (event.body.type === 'model.replied' || event.body.type === 'model.failed')
      playCall(world, { ...event, body: event.body }, next);
    else if (event.body.type === 'tool.called') playTools(world, { batch: takeBatch(event), delegations, events }, next);
    else {
      // The start of the children and their conclusions are told by the call that waits for them.
      if (event.body.type !== 'delegation.started' && event.body.type !== 'child.concluded') tell(world, event);
      next();
    }
  };
  const takeBatch = (first: Event): Event[] => {
    const batch = [first];
    for (let other = events[place]; other?.body.type === 'tool.called'; other = events[++place]) batch.push(other);
    for (const called of batch) tell(world, called);
    return batch;
  };
  next();
}

type CallEvent = Event & { readonly body: Extract<EventBody, { type: 'model.replied' | 'model.failed' }> };

function playCall(world: World, event: CallEvent, next: () => void): void {
  const { clock, speed, slots } = world;
  const asked = clock.now;
  const { inputTokens = 0, outputTokens = 0 } = event.body.usage;
  const known = world.cached.get(event.agent) ?? 0;
  const cachedTokens = speed.cache === 'prefix' && inputTokens >= known ? known : 0;
  world.cached.set(event.agent, inputTokens + outputTokens);
  const reading = ((inputTokens - cachedTokens) / speed.promptTokensPerSecond) * 1000;
  const writing = (outputTokens / speed.outputTokensPerSecond) * 1000;
  slots.enter((leave) => {
    const queueMs = clock.now - asked;
    clock.after(reading + writing, () => {
      leave();
      const usage = { ...event.body.usage, cachedTokens, queueMs, firstTokenMs: queueMs + reading, totalMs: clock.now - asked };
      tell(world, { ...event, body: { ...event.body, usage } });
      next();
    });
  });
}

interface Batch {
  readonly batch: readonly Event[];
  readonly delegations: ReadonlyMap<string, Delegation>;
  readonly events: readonly Event[];
}

function playTools(world: World, { batch, delegations, events }: Batch, next: () => void): void {
  const lanes = new Lanes(world.speed.toolsAtOnce);
  let left = batch.length;
  for (const called of batch) {
    const resultId = called.body.type === 'tool.called' ? called.body.resultId : '';
    const delegation = delegations.get(resultId);
    lanes.enter((leave) => {
      const finish = (): void => {
        leave();
        left--;
        if (left === 0) next();
      };
      if (delegation) playChildren(world, { delegation, events }, finish);
      else world.clock.after(world.speed.toolMs, finish);
    });
  }
}

interface Fan {
  readonly delegation: Delegation;
  readonly events: readonly Event[];
}

function playChildren(world: World, { delegation, events }: Fan, finish: () => void): void {
  const of = (wanted: (body: EventBody) => boolean): Event | undefined => events.find(({ body }) => wanted(body));
  const start = of((body) => body === delegation);
  if (start) tell(world, start);
  const lanes = new Lanes(delegation.concurrency);
  let left = delegation.children.length;
  if (left === 0) finish();
  for (const { id, path } of delegation.children) {
    lanes.enter((leave) => {
      playRun(world, path, () => {
        leave();
        const concluded = of((body) => body.type === 'child.concluded' && body.conclusion.id === id);
        if (concluded) tell(world, concluded);
        left--;
        if (left === 0) finish();
      });
    });
  }
}

function tell(world: World, event: Event): void {
  world.played.push({ ...event, at: Math.round(world.clock.now) });
}
