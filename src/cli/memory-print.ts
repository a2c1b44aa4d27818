import type { MemoryCheck } from '../app/memory-care.ts';
import type { ForgetPlan, Forgotten } from '../app/memory-forget.ts';
import type { ExplainedNote, Listing, MemoryStats, ShownNote } from '../app/memory-read.ts';
import { MOST_COUNTED } from '../core/log-reader.ts';
import type { Note } from '../core/note.ts';
import type { Recalled } from '../core/recall.ts';

/** One line a note. */
export function noteLine({ id, key, kind, text, status, created, conflictsWith, judged, supersededBy }: Note): string {
  const marks = [
    status === 'current' ? '' : status,
    supersededBy ? `by ${supersededBy}` : '',
    conflictsWith.length > 0 ? `contradicts ${conflictsWith.join(', ')}` : '',
    judged ? '' : 'unjudged',
  ].filter((mark) => mark !== '');
  return `${id}  ${dayOf(created)}  ${kind.padEnd(10)} ${key}: ${text}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
}

export function printListing({ notes, total }: Listing): string {
  if (total === 0) return 'No note. A run of an agent that may write leaves some; `soloist memory add` writes one.\n';
  const more = total > notes.length ? `… ${total - notes.length} more; raise --limit\n` : '';
  return `${notes.map(noteLine).join('\n')}\n${more}`;
}

export function printRecalled({ hits, mode, notices, belowFloor }: Recalled): string {
  const lines = hits.map(
    ({ id, source, key, text, age, why }) => `${id}  ${source}${key ? ` ${key}` : ''}, ${age}: ${text}\n    ${why.because}`,
  );
  const head = hits.length === 0 ? `Nothing that bears on it (${belowFloor} candidates below the floor).` : lines.join('\n');
  return `${head}\n(${[mode, ...notices].join('; ')})\n`;
}

export function printNote({ note, chain }: ShownNote): string {
  const { agent, lastConfirmed, expires, verdict, judged, version, multiValued } = note;
  const facts = [
    `version ${version}${multiValued ? ' of a set' : ''}, ${verdict}${judged ? '' : ' (unjudged)'}, from ${agent}`,
    `confirmed ${dayOf(lastConfirmed)}${expires === undefined ? '' : `, expires ${dayOf(expires)}`}, ${note.provenance.length} places in the log`,
  ];
  const others = chain.filter(({ id }) => id !== note.id).map((other) => `  ${noteLine(other)}`);
  return `${[noteLine(note), ...facts.map((fact) => `  ${fact}`), ...(others.length > 0 ? ['Under the same key:', ...others] : [])].join('\n')}\n`;
}

export function printOrigins({ note, origins, recall }: ExplainedNote): string {
  const lines = origins.map(({ session, agent, step, sequence, what, at, question, said }) => {
    const head = `  ${session}/${agent}/${step}/${sequence}  ${at ?? ''}  ${what}`;
    return [head, ...(question ? [`    asked: ${question}`] : []), ...(said ? [`    ${said.replace(/\s+/g, ' ')}`] : [])].join('\n');
  });
  const found = recall ? [`For "${recall.question}": ${recall.rank === null ? 'not found' : `rank ${recall.rank}`}, ${recall.why}`] : [];
  return `${[noteLine(note), ...lines, ...found].join('\n')}\n`;
}

export function printPlan({ notes, places, sessions }: ForgetPlan): string {
  if (notes.length === 0) return 'No note fits.\n';
  return `${notes.map(noteLine).join('\n')}\n${notes.length} notes, ${places.length} events of ${sessions.length} sessions would be blanked.\n`;
}

export function printForgotten({
  notes,
  eventsBlanked,
  eventsCleaned,
  payloads,
  triples,
  vectors,
  bytesBefore,
  bytesAfter,
}: Forgotten): string {
  const gone = notes.map(({ id, key }) => `${id}  ${key}`).join('\n');
  return `${gone}\nForgotten: ${notes.length} notes, ${triples} relations, ${vectors} vectors, ${payloads} payloads; ${eventsBlanked} events blanked, ${eventsCleaned} cleaned; the file went from ${bytesBefore} to ${bytesAfter} bytes.\n`;
}

export function printStats(stats: MemoryStats): string {
  const { byStatus, byKind, lag, vectors } = stats;
  const list = (counts: Readonly<Record<string, number | undefined>>): string =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none';
  return `${[
    `Notes      ${stats.notes}: ${list(byStatus)}`,
    `Kinds      ${list(byKind)}`,
    `Keys       ${stats.keys}, ${stats.multiValuedKeys} of them sets; ${stats.unjudged} unjudged, ${stats.contradicted} contradicted`,
    `Relations  ${stats.triples}`,
    `Skills     ${stats.skills}`,
    `Waiting    ${counted(lag.events)} events, ${counted(lag.sessions)} closed sessions, ${counted(lag.verdicts)} rounds of verdicts, ${counted(lag.index)} events to index`,
    `Vectors    ${vectors.available ? (vectors.model ? `${vectors.count} of ${vectors.model}` : 'none') : 'sqlite-vec is not there'}`,
    `File       ${stats.file}, ${stats.bytes} bytes`,
  ].join('\n')}\n`;
}

function counted(lag: number): string {
  return lag >= MOST_COUNTED ? `${lag} or more` : String(lag);
}

export function printChecks(checks: readonly MemoryCheck[]): string {
  return `${checks.map(({ check, ok, found, fix }) => `${ok ? 'ok    ' : 'failed'} ${check.padEnd(11)} ${found}${fix ? `; ${fix}` : ''}`).join('\n')}\n`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
