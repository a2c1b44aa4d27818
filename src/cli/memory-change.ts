import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCritic } from '../app/critic.ts';
import { PROFILE_FILE } from '../app/memory-background.ts';
import { addNote, editNote, readProfileNotes, writeProfileNotes } from '../app/memory-change.ts';
import { compactTopic, mergeDuplicates, planMerges, planTopic } from '../app/memory-compact.ts';
import { showNote } from '../app/memory-read.ts';
import { SoloistError } from '../core/errors.ts';
import { NOTE_KINDS } from '../core/note.ts';
import { noteLine } from './memory-print.ts';
import { confirm, integer, printAs, readTextFrom, type Verb, type VerbCall } from './memory-verb.ts';

export function registerMemoryChanges(verb: Verb): void {
  verb('add', 'write a note in your own name', (command) =>
    command
      .argument('<key>', 'what it is about, e.g. ingest.retry_policy')
      .argument('<text...>', 'one sentence that stands alone')
      .option('--kind <kind>', NOTE_KINDS.join(', '), 'fact')
      .option('--several', 'the key holds several facts at once')
      .option('--expires <days>', 'leave recall after so many days', integer),
  )(async ({ memory, workspace, now, flags, args }) => {
    const { kind = 'fact', several = false, expires } = flags as { kind?: string; several?: boolean; expires?: number };
    const critic = await openCritic(workspace);
    try {
      const text = (args[1] as string[]).join(' ');
      const note = await addNote(memory, { key: String(args[0]), text, kind, several, expiresInDays: expires }, { now, critic });
      return printAs(flags, note, (one) => `${noteLine(one)}\n`);
    } finally {
      await critic?.close();
    }
  });
  verb('edit', `put another wording in the place of a note, or write ${PROFILE_FILE}`, (command) =>
    command
      .argument('<note>', `an id, its beginning, a key, or ${PROFILE_FILE}`)
      .option('--text <text>', 'the new text, or - for stdin; your $EDITOR opens without it')
      .option('--kind <kind>', NOTE_KINDS.join(', '))
      .option('--expires <days>', 'leave recall after so many days', integer),
  )((call) => (call.args[0] === PROFILE_FILE ? editProfile(call) : edit(call)));
  verb('compact', 'merge near duplicates within keys; with a topic, make its notes one', (command) =>
    command.argument('[topic]', 'the beginning of keys, e.g. ingest').option('--yes', 'do it; without it it is only shown'),
  )(compact);
}

async function edit({ memory, now, flags, args }: VerbCall): Promise<string> {
  const { text, kind, expires } = flags as { text?: string; kind?: string; expires?: number };
  const reference = String(args[0]);
  const asked = text === undefined && kind === undefined && expires === undefined;
  const wording = asked ? openEditor(showNote(memory, reference).note.text) : text === '-' ? await readTextFrom('-') : text;
  const note = await editNote(memory, reference, { text: wording, kind, expiresInDays: expires }, now);
  return printAs(flags, note, (one) => `${noteLine(one)}\n`);
}

async function editProfile({ workspace, flags }: VerbCall): Promise<string> {
  const { text } = flags as { text?: string };
  const { text: before } = readProfileNotes(workspace);
  const after = text === undefined ? openEditor(before) : text === '-' ? await readTextFrom('-') : text;
  return printAs(flags, writeProfileNotes(workspace, after), ({ file, characters }) => `${file}: ${characters} characters\n`);
}

/** What a person makes of a text in their editor. */
function openEditor(text: string): string {
  const editor = process.env.VISUAL || process.env.EDITOR;
  if (!editor || !process.stdin.isTTY)
    throw new SoloistError('usage', 'there is no editor to open', { fix: 'give --text, or set EDITOR at a terminal' });
  const folder = mkdtempSync(join(tmpdir(), 'soloist-edit-'));
  try {
    const file = join(folder, 'note.md');
    writeFileSync(file, text);
    const ended = spawnSync(editor, [file], { stdio: 'inherit', shell: true });
    if (ended.status !== 0) throw new SoloistError('refused', `${editor} did not end well; nothing was changed`);
    return readFileSync(file, 'utf8').trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compact({ memory, workspace, now, flags, args, services }: VerbCall): Promise<string> {
  const topic = args[0] as string | undefined;
  const merges = planMerges(memory);
  const notes = topic === undefined ? [] : planTopic(memory, topic);
  const shown = [
    ...merges.merges.map(({ goes, stays }) => `merge ${noteLine(goes)}\n   into ${noteLine(stays)}\n`),
    ...notes.map((note) => `make one of ${noteLine(note)}\n`),
  ].join('');
  const nothing = merges.merges.length + notes.length === 0;
  const agreed = !nothing && (flags.yes === true || (await confirm(`${shown}Do it?`, services)));
  if (!agreed) {
    const plan = { done: false, merges: merges.merges, notes };
    return printAs(flags, plan, () => (nothing ? 'Nothing to compact.\n' : `${shown}Nothing was changed; add --yes.\n`));
  }
  const merged = await mergeDuplicates(memory, merges, now);
  const critic = topic === undefined ? undefined : await openCritic(workspace);
  try {
    const left = notes.filter(({ id }) => !merges.merges.some(({ goes }) => goes.id === id));
    const one = topic === undefined || left.length < 2 ? undefined : await compactTopic(memory, { topic, notes: left, critic, now });
    return printAs(flags, { done: true, merged, ...(one ? { note: one.note, archived: one.archived, by: one.by } : {}) }, () => {
      const summary = one ? `${noteLine(one.note)}\n${one.archived} notes are archived behind it (${one.by}).\n` : '';
      return `${merged} near duplicates merged.\n${summary}`;
    });
  } finally {
    await critic?.close();
  }
}
