import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Recorder } from '../../src/agent/recorder.ts';
import type { Event, EventLog } from '../../src/core/event.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';

let folder: string;
let log: EventLog & { close(): void };
let appends: number;
let broken: boolean;
let told: string[];
let main: Recorder;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-commit-'));
  const stored = await openEventLog({ folder, tenant: 'test' });
  appends = 0;
  broken = false;
  told = [];
  const append = (events: readonly Event[]): void => {
    appends++;
    if (broken) throw new Error('the disk is full');
    stored.append(events);
  };
  log = { ...stored, append };
  main = recorderOf('main');
  note(main, { type: 'session.opened', project: 'p', agent: 'a', question: 'q', model: 'm', version: '0', sources: [] });
});
afterEach(() => {
  log.close();
  rmSync(folder, { recursive: true, force: true });
});

const tell = (event: Event): void => {
  told.push(event.agent);
};
const recorderOf = (agent: string) =>
  new Recorder({ log, session: 's-commit', round: 1, agent, now: () => new Date(0), listeners: [tell] });
const note = (recorder: Recorder, body: Event['body'] = { type: 'interrupted' }): void => {
  recorder.record(body);
  recorder.flush();
};
const logged = () => [...log.read('s-commit')].slice(1).map((event) => event.agent);

describe('the commits of children', () => {
  it('are one for all that flush while one waits, and each child waits for it', async () => {
    const children = ['c1', 'c2', 'c3'].map((agent) => recorderOf(agent));
    const before = appends;
    for (const child of children) note(child);
    expect(logged()).toEqual([]);
    await Promise.all(children.map((child) => child.settled()));
    expect(appends).toBe(before + 1);
    expect(logged()).toEqual(['c1', 'c2', 'c3']);
    expect(told).toEqual(['main', 'c1', 'c2', 'c3']);
    expect(children[0]?.settled()).toBeUndefined();
  });

  it('come by themselves where nobody waits, and one waits for no batch but its own', async () => {
    const [first, second] = [recorderOf('c1'), recorderOf('c2')];
    note(first);
    expect(logged()).toEqual([]);
    await vi.waitFor(() => expect(logged()).toEqual(['c1']));
    note(second);
    expect(first.settled()).toBeUndefined();
    expect(logged()).toEqual(['c1']);
    await second.settled();
    expect(logged()).toEqual(['c1', 'c2']);
  });

  it('go to disk before what the main agent flushes after them', () => {
    note(recorderOf('c1'));
    note(recorderOf('c2'));
    note(main);
    expect(logged()).toEqual(['c1', 'c2', 'main']);
  });

  it('that fail are told to those who wait, and are tried again with the next', async () => {
    const child = recorderOf('c1');
    broken = true;
    note(child);
    await expect(child.settled()).rejects.toThrow('the disk is full');
    expect(told).toEqual(['main']);
    broken = false;
    note(recorderOf('c2'));
    await child.settled();
    expect(logged()).toEqual(['c1', 'c2']);
  });
});
