import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerMemory } from '../../src/cli/memory.ts';
import { SoloistError } from '../../src/core/errors.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';
import { closeShops, openShop, type Shop } from './memory-project-folder.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(closeShops);

/** Runs the verb in this process: registered as the program does it, with streams of its own. */
async function soloist(
  argv: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly out: string; readonly notes: string[]; readonly code: number; readonly complaint: string }> {
  let out = '';
  const notes: string[] = [];
  const program = new Command('soloist').exitOverride();
  registerMemory(program, {
    out: (text) => {
      out += text;
    },
    note: (text) => notes.push(text),
    color: { out: false, note: false },
    cwd: shop.folder,
    environment: { SOLOIST_HOME: shop.home, OLLAMA_HOST: '127.0.0.1:9', ...environment },
  });
  try {
    await program.parseAsync(['memory', ...argv, '--project', shop.folder], { from: 'user' });
    return { out, notes, code: 0, complaint: '' };
  } catch (error) {
    if (!(error instanceof SoloistError)) throw error;
    return {
      out,
      notes,
      code: error.code === 'usage' || error.code === 'configuration' ? 2 : 1,
      complaint: `${error.where ? `${error.where}: ` : ''}${error.message}; ${error.fix}`,
    };
  }
}

async function json<Answer>(argv: readonly string[]): Promise<Answer> {
  const { out, complaint } = await soloist([...argv, '--json']);
  expect(complaint).toBe('');
  return JSON.parse(out) as Answer;
}

describe('soloist memory', () => {
  it('leaves out of text what would steer a terminal, and keeps it in JSON', async () => {
    const text = 'The \u001b[31mred\u001b[0m button \u202eis\u0007 dangerous.';
    expect((await soloist(['add', 'button.colour', text])).out).toMatch(/: The \[31mred\[0m button is dangerous\.\n$/);
    const shown = await soloist(['show', 'button.colour']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(shown.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect((await json<{ note: { text: string } }>(['show', 'button.colour'])).note.text).toContain('\u202e');
    expect((await soloist(['export'])).out).toContain('\u202e');
    await soloist(['forget', 'button.colour', '--yes']);
  });

  it('writes, edits, shows and explains a note with its chain', async () => {
    const added = await json<{ id: string; key: string; judged: boolean }>([
      'add',
      'ingest.retry_policy',
      'Retries of ingest are flat.',
      '--kind',
      'decision',
      '--expires',
      '30',
    ]);
    expect(added).toMatchObject({
      key: 'ingest.retry_policy',
      text: expect.stringMatching(/^\d{4}-\d\d-\d\d: Retries of ingest are flat\.$/),
      kind: 'decision',
      agent: 'person',
      verdict: 'new',
      judged: true,
    });
    const edited = await json<{ id: string }>(['edit', 'ingest.retry_policy', '--text', 'Retries of ingest back off.']);
    const { note, chain } = await json<{ note: { id: string }; chain: { id: string; status: string; supersededBy?: string }[] }>([
      'show',
      edited.id.slice(0, 6),
    ]);
    expect(note.id).toBe(edited.id);
    expect(chain).toMatchObject([
      { id: added.id, status: 'superseded', supersededBy: edited.id },
      { id: edited.id, status: 'current' },
    ]);
    const why = await json<{ origins: { what: string }[]; recall: { rank: number } }>([
      'why',
      'ingest.retry_policy',
      '--question',
      'do retries of ingest back off?',
    ]);
    expect(why).toMatchObject({ origins: [{ what: 'note.written', said: 'update by person' }], recall: { rank: 1 } });
    const { out } = await soloist(['ls', '--key', 'ingest.']);
    expect(out).toMatch(/^n-\w+ {2}\d{4}-\d\d-\d\d {2}decision {3}ingest\.retry_policy: .*back off\.\n$/);
    expect((await soloist(['ls', '--all'])).out.split('\n')).toHaveLength(3);
    expect((await soloist(['ls', 'retries', 'of', 'ingest', 'back', 'off'])).out).toMatch(
      / note ingest\.retry_policy, today: .*\n {4}matches retri/,
    );
  });

  it('exports, imports, rebuilds and forgets', async () => {
    await json(['add', 'team.goals', 'Freshness below one hour', '--several', '--kind', 'goal']);
    await json(['add', 'team.goals', 'Costs below 400 a month', '--kind', 'goal']);
    const { out: lines } = await soloist(['export']);
    const file = join(shop.folder, 'notes.jsonl');
    writeFileSync(file, lines);
    expect(await json(['import', file])).toEqual({ imported: 0, known: 4, refused: [] });
    expect(await json(['rebuild'])).toMatchObject({ notes: 4, triples: 0, unchanged: true });
    const preview = await soloist(['forget', '--containing', 'freshness']);
    expect([preview.code, preview.out]).toEqual([
      0,
      expect.stringMatching(/1 notes, 1 events of 1 sessions would be blanked\.\nNothing was forgotten; add --yes\.\n$/),
    ]);
    expect(await json(['forget', '--containing', 'freshness', '--yes'])).toMatchObject({
      forgotten: true,
      notes: [{ key: 'team.goals' }],
      eventsBlanked: 1,
    });
    expect(shop.bytes().includes('Freshness below')).toBe(false);
    expect(await json(['import', file])).toEqual({ imported: 1, known: 3, refused: [] });
    const stats = await json<{ byStatus: object; lag: object }>(['stats']);
    expect(stats).toMatchObject({
      notes: 4,
      byStatus: { current: 3, superseded: 1 },
      keys: 2,
      multiValuedKeys: 1,
      skills: 4,
      lag: { events: 0, sessions: 0, verdicts: 0 },
    });
    expect((await soloist(['doctor'])).out).toMatch(/ok {5}Recall {6}a paraphrase of 3 of 3 notes finds the note\n/);
    expect(await json(['rescan'])).toMatchObject({ events: 0 });
  });

  it('keeps a key that came to hold several a set when notes are made again', async () => {
    await json(['add', 'pump.owner', 'Anna owns the pump.']);
    await json(['add', 'pump.owner', 'Ben owns the pump.', '--several']);
    expect(await json(['rebuild'])).toMatchObject({ unchanged: true });
    const { notes } = await json<{ notes: { text: string; multiValued: boolean }[] }>(['ls', '--key', 'pump.owner']);
    expect(notes).toMatchObject([
      { text: expect.stringContaining('Ben owns'), multiValued: true },
      { text: expect.stringContaining('Anna owns'), multiValued: true },
    ]);
    await soloist(['forget', '--containing', 'the pump', '--yes']);
  });

  it('makes one note of a topic, after it has shown which', async () => {
    expect((await soloist(['compact', 'team'])).out).toMatch(/make one of .*\nmake one of .*\nNothing was changed; add --yes\.\n$/);
    const done = await json<{ note: { key: string; text: string }; archived: number }>(['compact', 'team', '--yes']);
    expect(done).toMatchObject({ archived: 2, by: 'rules', note: { key: 'team.summary', kind: 'summary', provenance: { length: 3 } } });
    expect(done.note.text).toMatch(/Freshness below one hour\. .*Costs below 400 a month\./);
    expect(await json(['forget', 'team.summary'])).toMatchObject({ notes: [{ key: 'team.summary' }], eventsBlanked: 1 });
    expect((await json<{ notes: object[] }>(['ls', '--all', '--key', 'team.'])).notes).toMatchObject([
      { status: 'archived' },
      { status: 'archived' },
    ]);
  });

  it('writes the profile notes of the project', async () => {
    await soloist(['edit', 'NOTES.md', '--text', 'Weeks begin on Sunday.']);
    expect(readFileSync(join(shop.folder, 'NOTES.md'), 'utf8')).toBe('Weeks begin on Sunday.\n');
  });

  it('says what is wrong, and exits with 2 for a wrong use and 1 for what is not there', async () => {
    const bad = join(shop.folder, 'bad.jsonl');
    writeFileSync(bad, '{"id": 1}\n');
    const complaints = await Promise.all(
      [
        ['add', 'No Key', 'some text'],
        ['show', 'ingest.retry_polic'],
        ['forget'],
        ['ls', '--kind', 'bugs'],
        ['edit', 'ingest.retry_policy'],
        ['import', '/nowhere'],
        ['import', bad],
        ['reembed'],
      ].map((argv) => soloist(argv)),
    );
    expect(complaints.map(({ code, complaint }) => [code, complaint])).toEqual([
      [2, '"No Key" is no key; write it as subject.topic in snake_case, e.g. ingest.retry_policy'],
      [1, 'there is no note "ingest.retry_polic"; did you mean "ingest.retry_policy"?'],
      [2, 'nothing is named; name a note, or choose with --containing, --session, --kind or --older-than'],
      [2, expect.stringMatching(/^there is no kind "bugs"; choose one of: decision, bug/)],
      [2, 'there is no editor to open; give --text, or set EDITOR at a terminal'],
      [1, '/nowhere: the file cannot be read (ENOENT); check the path'],
      [2, expect.stringMatching(/^line 1 is no note: id: /)],
      [2, expect.stringMatching(/^no embedding model is named; set models\.embedding/)],
    ]);
  });

  it('gives every note a vector of the embedding model, and the doctor finds a paraphrase by it', async () => {
    const server = await startFakeOllama();
    try {
      writeFileSync(join(shop.folder, 'soloist.yaml'), 'name: shop\nsources: {}\nmodels: { embedding: ollama/tiny }\n');
      const host = { OLLAMA_HOST: server.host };
      const { out, complaint } = await soloist(['reembed', '--json'], host);
      expect(complaint).toBe('');
      expect(JSON.parse(out)).toMatchObject({ model: 'ollama/tiny', vectors: expect.any(Number), switched: true });
      expect(JSON.parse(out).vectors).toBeGreaterThanOrEqual(1);
      expect((await soloist(['doctor'], host)).out).toMatch(/ok {5}Vectors {5}\d+ vectors of tiny; a paraphrase finds its note/);
      expect(JSON.parse((await soloist(['reembed', '--json'], host)).out)).toMatchObject({ embedded: 0, switched: false });
      // Whoever makes the notes again keeps their vectors; of one that is forgotten only its own goes.
      const { vectors: before } = JSON.parse((await soloist(['stats', '--json'], host)).out) as { vectors: { count: number } };
      await soloist(['add', 'pump.owner', 'Anna owns the pump.'], host);
      await soloist(['reembed'], host);
      expect(JSON.parse((await soloist(['rebuild', '--json'], host)).out)).toMatchObject({ unchanged: true });
      expect(JSON.parse((await soloist(['stats', '--json'], host)).out)).toMatchObject({ vectors: { count: before.count + 1 } });
      expect(JSON.parse((await soloist(['forget', 'pump.owner', '--json'], host)).out)).toMatchObject({ vectors: 1 });
      expect(JSON.parse((await soloist(['stats', '--json'], host)).out)).toMatchObject({ vectors: before });
    } finally {
      await server.close();
    }
  });
});
