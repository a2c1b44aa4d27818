import type { Command } from 'commander';
import { checkMemory, rebuild, rescan } from '../app/memory-care.ts';
import { reembed } from '../app/memory-embed.ts';
import { forget, planForget } from '../app/memory-forget.ts';
import { explainNote, listNotes, memoryStats, searchMemory, showNote } from '../app/memory-read.ts';
import { exportNotes, importNotes } from '../app/memory-transfer.ts';
import { SoloistError } from '../core/errors.ts';
import { NOTE_KINDS, type NoteKind } from '../core/note.ts';
import { registerMemoryChanges } from './memory-change.ts';
import {
  printChecks,
  printForgotten,
  printListing,
  printNote,
  printOrigins,
  printPlan,
  printRecalled,
  printStats,
} from './memory-print.ts';
import { confirm, integer, memoryVerb, printAs, readTextFrom, type Verb } from './memory-verb.ts';
import type { CliServices } from './services.ts';

/** `soloist memory …`: what outlives the sessions, for people. */
export function registerMemory(program: Command, services: CliServices): void {
  const memory = program.command('memory').description('list, explain, write, forget and move what outlives the sessions');
  const verb = memoryVerb(memory, services);
  registerReading(verb);
  registerMemoryChanges(verb);
  registerForgetting(verb);
  registerMoving(verb);
  registerCare(verb);
}

function registerReading(verb: Verb): void {
  verb('ls', 'list notes, or with a question what it would recall and why', (command) =>
    command
      .argument('[question...]')
      .option('--all', 'also what is no longer believed')
      .option('--key <key>', 'a key, or the beginning of keys that ends in "."')
      .option('--kind <kind>', NOTE_KINDS.join(', '))
      .option('--session <id>', 'only what a session left')
      .option('--limit <n>', 'at most so many', integer, 50),
  )(async ({ memory, now, flags, args }) => {
    const {
      all = false,
      key,
      kind,
      session,
      limit = 50,
    } = flags as { all?: boolean; key?: string; kind?: string; session?: string; limit?: number };
    const question = (args[0] as string[]).join(' ').trim();
    if (question !== '') return printAs(flags, await searchMemory(memory, question, { limit, all, now }), printRecalled);
    const kinds = kind === undefined ? {} : { kinds: [kindOf(kind)] };
    return printAs(
      flags,
      listNotes(memory, { all, limit, ...kinds, ...(key ? { key } : {}), ...(session ? { session } : {}) }),
      printListing,
    );
  });
  verb('show', 'show a note with all versions under its key', (command) => command.argument('<note>', 'an id, its beginning, or a key'))(
    async ({ memory, flags, args }) => printAs(flags, showNote(memory, String(args[0])), printNote),
  );
  verb('why', 'say where in the log a note comes from, and how a question finds it', (command) =>
    command.argument('<note>', 'an id, its beginning, or a key').option('--question <text>', 'a question that should bring it up'),
  )(async ({ memory, now, flags, args }) => {
    const { question } = flags as { question?: string };
    return printAs(flags, await explainNote(memory, String(args[0]), { question, now }), printOrigins);
  });
  verb(
    'stats',
    'figures of memory: notes, keys, what waits, vectors, size',
  )(async ({ memory, workspace, flags }) => printAs(flags, memoryStats(memory, workspace.project.skills.length), printStats));
}

function registerForgetting(verb: Verb): void {
  verb('forget', 'take notes out of the log and everything made from it, for good', (command) =>
    command
      .argument('[notes...]', 'ids, beginnings of ids, or keys')
      .option('--containing <text>', 'notes with this text')
      .option('--session <id>', 'notes that a session left')
      .option('--kind <kind>', NOTE_KINDS.join(', '))
      .option('--older-than <days>', 'notes made before', integer)
      .option('--all-versions', 'also the other versions under their keys')
      .option('--with-sessions', 'also all that was said in the sessions that they come from')
      .option('--yes', 'do it; without it a choice by text, session, kind or age is only shown'),
  )(async ({ memory, now, flags, args, services }) => {
    const { containing, session, kind, olderThan, allVersions = false, withSessions = false, yes = false } = flags as ForgetFlags;
    const references = args[0] as string[];
    const byChoice = [containing, session, kind, olderThan].some((choice) => choice !== undefined);
    if (references.length === 0 && !byChoice)
      throw new SoloistError('usage', 'nothing is named', {
        fix: 'name a note, or choose with --containing, --session, --kind or --older-than',
      });
    const choice = {
      references,
      containing,
      session,
      kind: kind === undefined ? undefined : kindOf(kind),
      olderThanDays: olderThan,
      allVersions,
      withSessions,
    };
    const plan = planForget(memory, choice, now);
    const preview = plan.notes.length === 0 || ((byChoice || withSessions) && !yes);
    if (preview && !(plan.notes.length > 0 && (await confirm(`${printPlan(plan)}Forget them for good?`, services))))
      return printAs(
        flags,
        { forgotten: false, ...plan },
        (one) => `${printPlan(one)}${plan.notes.length > 0 ? 'Nothing was forgotten; add --yes.\n' : ''}`,
      );
    return printAs(flags, { forgotten: true, ...(await forget(memory, plan, now)) }, printForgotten);
  });
}

interface ForgetFlags {
  readonly containing?: string;
  readonly session?: string;
  readonly kind?: string;
  readonly olderThan?: number;
  readonly allVersions?: boolean;
  readonly withSessions?: boolean;
  readonly yes?: boolean;
}

function registerMoving(verb: Verb): void {
  verb(
    'export',
    'print all notes as JSON lines, without vectors',
  )(async ({ memory }) => [...exportNotes(memory)].map((line) => `${line}\n`).join(''));
  verb('import', 'take in what export printed', (command) => command.argument('<file>', 'the file, or - for stdin'))(
    async ({ memory, now, flags, args }) => {
      const text = await readTextFrom(String(args[0]));
      return printAs(flags, await importNotes(memory, text, now), ({ imported, known, refused }) => {
        const lines = refused.map(({ id, key, why }) => `not taken: ${id} (${key}): ${why}\n`).join('');
        return `${imported} notes taken in, ${known} were there already.\n${lines}`;
      });
    },
  );
}

function registerCare(verb: Verb): void {
  verb('reembed', 'give every note a vector of models.embedding; goes on where it was stopped', (command) =>
    command.option('--retest', 'test the weight of vectors again where the model stayed the same'),
  )(async ({ memory, now, flags, services }) => {
    const onProgress = ({ done, total }: { done: number; total: number }): void => services.note(`${done} of ${total} notes`);
    const answer = await reembed(memory, { now, retest: flags.retest === true, ...(flags.json ? {} : { onProgress }) });
    return printAs(flags, answer, ({ model, embedded, vectors, weight, switched }) => {
      const use = weight > 0 ? `they count ${weight} beside words` : 'words alone did better in the self-test, so they are not used';
      return `${embedded} notes embedded, ${vectors} vectors of ${model}${switched ? ', now in use' : ''}; ${use}.\n`;
    });
  });
  verb(
    'rescan',
    'apply the redaction of today to everything that was logged before',
  )(async ({ memory, workspace, now, flags }) =>
    printAs(flags, await rescan(memory, workspace, now), ({ events, payloads, bytesBefore, bytesAfter }) =>
      events === 0
        ? 'Nothing to take out.\n'
        : `${events} events cleaned, ${payloads} payloads dropped; the file went from ${bytesBefore} to ${bytesAfter} bytes.\n`,
    ),
  );
  verb(
    'rebuild',
    'make notes, relations and the index again from the log',
  )(async ({ memory, now, flags }) =>
    printAs(
      flags,
      await rebuild(memory, now),
      ({ events, notes, triples, unchanged, digest }) =>
        `${notes} notes and ${triples} relations from ${events} events; ${unchanged ? 'as they were' : 'changed'} (${digest.slice(0, 16)}).\n`,
    ),
  );
  verb(
    'doctor',
    'check that memory has caught up, and that a paraphrase finds its note',
  )(async ({ memory, now, flags }) => {
    const checks = await checkMemory(memory, now);
    if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
    return printAs(flags, { checks }, ({ checks: found }) => printChecks(found));
  });
}

function kindOf(text: string): NoteKind {
  const kind = NOTE_KINDS.find((one) => one === text);
  if (!kind) throw new SoloistError('usage', `there is no kind "${text}"`, { fix: `choose one of: ${NOTE_KINDS.join(', ')}` });
  return kind;
}
