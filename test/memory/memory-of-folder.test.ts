import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { addNote } from '../../src/app/memory-change.ts';
import { forget, planForget } from '../../src/app/memory-forget.ts';
import { openProjectMemory, type ProjectMemory } from '../../src/app/memory-project.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { BEGIN, cause, closedSession, DAY } from './closed-session.ts';

const NOW = new Date(BEGIN + DAY);
const QUESTION = 'why did flat retries of ingest load rows twice?';
const base = mkdtempSync(join(tmpdir(), 'soloist-folders-'));
const opened: (() => Promise<void>)[] = [];
let next = 0;

afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  rmSync(base, { recursive: true, force: true });
});

interface Folder {
  readonly memory: ProjectMemory;
  readonly home: string;
  /** A session of the shipped investigator that found the cause. */
  session(claim: string, question?: string): Promise<void>;
  recalled(question?: string): Promise<readonly string[]>;
}

function newHome(): NodeJS.ProcessEnv {
  return { HOME: join(base, `home-${next++}`) };
}

async function openFolder(name: string, environment: NodeJS.ProcessEnv, settings?: string): Promise<Folder> {
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true });
  if (settings !== undefined) writeFileSync(join(folder, 'soloist.yaml'), settings);
  const workspace = await openWorkspace({ folder, sourceFlags: [], environment });
  const memory = await openProjectMemory(workspace);
  opened.push(async () => {
    await memory.close();
    await workspace.close();
  });
  return {
    memory,
    home: workspace.home,
    session: async (claim, question = 'what happened to ingest?') => {
      const session = `s-${next++}`;
      memory.log.append(closedSession({ session, question, answer: claim, findings: [cause(claim)] }));
      await memory.catchUp({ now: () => NOW });
    },
    recalled: async (question = QUESTION) => {
      const { hits } = await memory.recall(question, { now: NOW.getTime(), budgetTokens: 5_000, floor: false });
      return hits.map(({ text }) => text);
    },
  };
}

const claimOf = (place: string) => `Flat retries of \`ingest\` loaded 412 rows of ${place} twice.`;

describe('the memory of a folder', () => {
  it('recalls neither notes nor sessions of another folder without a soloist.yaml', async () => {
    const environment = newHome();
    const [one, other] = [await openFolder('one', environment), await openFolder('other', environment)];
    expect(one.home).toBe(other.home);
    await one.session(claimOf('Essen'));
    expect(one.memory.store.notes.list()).toHaveLength(1);
    expect((await one.recalled()).some((text) => text.includes('Essen'))).toBe(true);
    expect(other.memory.store.notes.list()).toEqual([]);
    expect(await other.recalled()).toEqual([]);
    await other.session(claimOf('Bonn'));
    expect((await other.recalled()).filter((text) => text.includes('Essen'))).toEqual([]);
    expect((await one.recalled()).filter((text) => text.includes('Bonn'))).toEqual([]);
    // The log is one: what a run did can be looked at from anywhere.
    expect(other.memory.log.listSessions(10)).toHaveLength(2);
  });

  it('is found again by another way to the same folder', async () => {
    const environment = newHome();
    await (await openFolder('real', environment)).session(claimOf('Essen'));
    symlinkSync(join(base, 'real'), join(base, 'link'));
    expect((await (await openFolder('link', environment)).recalled()).some((text) => text.includes('Essen'))).toBe(true);
  });

  it('is its own also where SOLOIST_HOME puts several projects into one home', async () => {
    const environment = { SOLOIST_HOME: join(base, 'shared') };
    const [one, other] = [await openFolder('shop', environment, 'name: shop\n'), await openFolder('mill', environment, 'name: mill\n')];
    await one.session(claimOf('Essen'));
    await addNote(one.memory, { key: 'ingest.owner', text: 'Marta owns ingest.', kind: 'fact', several: false }, { now: NOW });
    expect(await other.recalled('who owns ingest?')).toEqual([]);
    expect(one.memory.store.notes.list()).toHaveLength(2);
    expect(one.memory.lag()).toEqual({ events: 0, sessions: 0, verdicts: 0 });
    expect(other.memory.lag()).toEqual({ events: 0, sessions: 0, verdicts: 0 });
  });

  it('is one for all projects of a home that say so, and for nobody else', async () => {
    const environment = { SOLOIST_HOME: join(base, 'shared-2') };
    const shared = 'memory: { scope: home }\n';
    const one = await openFolder('a', environment, `name: a\n${shared}`);
    const other = await openFolder('b', environment, `name: b\n${shared}`);
    const apart = await openFolder('c', environment, 'name: c\n');
    await one.session(claimOf('Essen'));
    await apart.session(claimOf('Bonn'));
    expect((await other.recalled()).some((text) => text.includes('Essen'))).toBe(true);
    expect((await other.recalled()).some((text) => text.includes('Bonn'))).toBe(false);
    expect((await apart.recalled()).some((text) => text.includes('Essen'))).toBe(false);
  });

  it('moves with a project that has a home of its own', async () => {
    const project = await openFolder('moved', {}, 'name: moved\n');
    await project.session(claimOf('Essen'));
    expect(project.memory.store.notes.list()[0]?.tenant).toBe('local');
  });

  it('is forgotten, and made again, without a change to that of another folder', async () => {
    const environment = newHome();
    const [one, other] = [await openFolder('left', environment), await openFolder('right', environment)];
    const claim = claimOf('Essen');
    await one.session(claim);
    await other.session(claim);
    const before = other.memory.store.notes.digest();
    const [note] = one.memory.store.notes.list();
    const plan = planForget(one.memory, { references: [note?.id ?? ''], allVersions: false, withSessions: false }, NOW);
    await forget(one.memory, plan, NOW);
    expect(await one.recalled('412 rows of Essen')).not.toContainEqual(expect.stringContaining('Essen'));
    expect(other.memory.store.notes.digest()).toBe(before);
    await other.memory.catchUp({ fromStart: true, think: false, now: () => NOW });
    expect(other.memory.store.notes.digest()).toBe(before);
  });
});
