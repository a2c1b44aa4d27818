import type { Play } from '../../../src/core/policy.ts';
import { fullyNamed, type ListedTable, mentionedTables, namedTables, readTables } from './choose-tables.ts';
import { examineDrift } from './examine-drift.ts';
import { examineDuplicates } from './examine-duplicates.ts';
import { examineMissing } from './examine-missing.ts';
import { examineProfiles } from './examine-profiles.ts';
import { callIfOffered, cite, mergeReports, NOTHING, notChecked, type PartReport, usable } from './part-report.ts';
import { read } from './read-data.ts';
import type { Question } from './read-question.ts';

export interface TableRequest {
  /** Whether the tables answer the question; else only those that it names are looked at. */
  readonly lead: boolean;
  /** Texts, as of logs, that may name the tables that a run touched. */
  readonly texts: readonly string[];
}

const LISTED = 200;
const MOST_TOUCHED = 2;

/** Looks at the tables and files that the question is about: duplicates, missing rows, changes, profiles. */
export async function examineTables(play: Play, question: Question, { lead, texts }: TableRequest): Promise<PartReport> {
  const listed = await callIfOffered(play, 'list_tables', { limit: LISTED });
  if (!listed) return notChecked('Tables and files: no tool to list them is on offer.');
  if (!usable(listed)) return withoutTables(read(listed.data).text('message') ?? listed.status, listed);
  const tables = readTables(listed.data);
  const named = lead ? namedTables(question, tables) : fullyNamed(question, tables);
  if (!lead && named.length === 0) return examineTouched(play, question, { tables, texts, total: listed.total ?? tables.length });
  const chosen = named.length > 0 ? named : largestFirst(tables);
  const parts: PartReport[] = [];
  if (question.aims.has('duplicates')) parts.push(await examineDuplicates(play, { question, chosen, all: tables }));
  if (question.aims.has('drift')) parts.push(await examineDrift(play, tables));
  if (question.aims.has('missing')) parts.push(await examineMissing(play, chosen));
  if (parts.every((part) => part.answer.length === 0)) parts.push(await examineProfiles(play, question, chosen));
  return mergeReports(parts);
}

interface Touched {
  readonly tables: readonly ListedTable[];
  readonly texts: readonly string[];
  readonly total: number;
}

/** A bounded look at the tables that the logs name: are their rows whole and single? It adds findings, not to the answer. */
async function examineTouched(play: Play, question: Question, { tables, texts, total }: Touched): Promise<PartReport> {
  const touched = mentionedTables(tables, texts).slice(0, MOST_TOUCHED);
  const others = total - touched.length;
  const rest =
    others > 0
      ? notChecked(
          `The contents of ${touched.length === 0 ? 'the' : 'the other'} ${others} tables: neither the question nor the logs name them.`,
        )
      : NOTHING;
  if (touched.length === 0) return rest;
  const looks = await Promise.all([
    examineDuplicates(play, { question, chosen: touched, all: touched }),
    examineProfiles(play, question, touched),
  ]);
  const findings = mergeReports(looks).findings.map((finding) =>
    finding.kind === 'cause' ? { ...finding, kind: 'observation' as const } : finding,
  );
  return mergeReports([{ ...NOTHING, findings }, rest]);
}

function withoutTables(status: string, listed: { readonly id: string }): PartReport {
  const why = status === 'no_data' ? 'the sources hold none; name a folder or database that does, e.g. --source data=files:FOLDER' : status;
  return {
    ...NOTHING,
    answer: [`No tables could be looked at: ${why}${cite(listed)}.`],
    findings: [{ kind: 'not_checked', claim: `Tables: ${why}`, evidence: [listed.id], confidence: 'low' }],
  };
}

function largestFirst(tables: readonly ListedTable[]): readonly ListedTable[] {
  const size = (table: ListedTable): number => Number(table.rows ?? table.bytes ?? 0);
  return [...tables].sort((left, right) => size(right) - size(left));
}
