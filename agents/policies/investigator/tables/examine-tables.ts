import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import { asksOfAverage, examineAverages } from '../days/examine-averages.ts';
import { examineMissing } from '../days/examine-missing.ts';
import { examineDrift } from '../files/examine-drift.ts';
import { examineFileGaps } from '../files/examine-file-gaps.ts';
import { examineSeries } from '../files/series-as-table.ts';
import { seriesName } from '../files/series-of.ts';
import { examineDuplicates } from '../keys/examine-duplicates.ts';
import { examineFanOut } from '../keys/examine-fan-out.ts';
import { examineSurplus } from '../keys/examine-surplus.ts';
import {
  asObservations,
  callIfOffered,
  cite,
  mergeReports,
  NOTHING,
  notChecked,
  type PartReport,
  usable,
  whyUnread,
} from '../part-report.ts';
import { asksFor, type Question } from '../question/read-question.ts';
import { bareName, fullyNamed, type ListedTable, mentionedTables, namedTables, readTables } from './choose-tables.ts';
import { asksForFaults, examineFaults, noFaults, nothingFound } from './examine-faults.ts';
import { causesFirst, examineOddities } from './examine-oddities.ts';
import { examineProfiles } from './examine-profiles.ts';
import { examineVersions } from './examine-versions.ts';
import { failedSources } from './failed-sources.ts';
import { lookAtTables } from './look-at-tables.ts';
import { MOST_CLOSE, overviewTables } from './overview-tables.ts';

export interface TableRequest {
  /** Whether the tables answer the question; else only those that it names are looked at. */
  readonly lead: boolean;
  /** Texts, as of logs, that may name the tables that a run touched. */
  readonly texts: readonly string[];
  /** Paths of files that are artifacts of a tool and no data. */
  readonly except: ReadonlySet<string>;
}

const LISTED = 200;
const MOST_TOUCHED = 2;

/** Looks at the tables and files that the question is about: duplicates, missing rows, changes, profiles. */
export async function examineTables(play: Play, question: Question, { lead, texts, except }: TableRequest): Promise<PartReport> {
  const listed = await callIfOffered(play, 'list_tables', { limit: LISTED });
  if (!listed) return notChecked('Tables and files: no tool to list them is on offer.');
  if (!usable(listed)) return withoutTables(unreadText(listed), listed);
  const tables = readTables(listed.data).filter(({ kind, name }) => kind !== 'file' || !isArtifact(name, except));
  const failed = failedSources(listed);
  if (tables.length === 0) return failed;
  const hidden = readTables(listed.data).length - tables.length;
  const named = lead ? namedTables(question, tables) : fullyNamed(question, tables);
  if (!lead && named.length === 0)
    return mergeReports([
      failed,
      await examineTouched(play, question, { tables, texts, total: Math.max(tables.length, (listed.total ?? 0) - hidden) }),
    ]);
  const parts: PartReport[] = [];
  const faults = asksForFaults(question);
  // What is asked of no table in particular is looked for where one line each says that something is odd.
  const overview = faults && named.length === 0 ? await overviewTables(play, largestFirst(tables)) : undefined;
  const chosen = named.length > 0 ? named : (overview?.ordered ?? largestFirst(tables));
  const odd = question.aims.size === 0 || asksFor(question, 'duplicates', 'missing', 'drift', 'wrong', 'hours');
  if (asksFor(question, 'wrong', 'missing')) parts.push(await examineVersions(play, await lookAtTables(play, withNamed(chosen, tables))));
  const multiplied = asksFor(question, 'wrong')
    ? await examineFanOut(play, question, await lookAtTables(play, withNamed(chosen, tables)))
    : NOTHING;
  // Rows that a join multiplied look like copies, and the join says why they are there.
  if (multiplied.findings.some(({ kind, confidence }) => kind === 'cause' && confidence === 'high')) parts.push(multiplied);
  else if (asksFor(question, 'duplicates')) parts.push(await examineDuplicates(play, { question, chosen, all: tables }));
  else if (question.direction === 'up') parts.push(await examineSurplus(play, question, { chosen, all: tables }));
  if (asksOfAverage(question)) parts.push(await examineAverages(play, question, await lookAtTables(play, withNamed(chosen, tables))));
  if (asksFor(question, 'drift', 'wrong', 'missing'))
    parts.push(await examineDrift(play, named.length > 0 ? likeNamed(named, tables) : tables, question));
  if (asksFor(question, 'missing', 'wrong')) parts.push(await examineMissing(play, chosen, tables));
  if (odd)
    parts.push(
      await examineOddities(play, question, {
        tables: onlyCopies(question, named) ? named : withNamed(chosen, tables),
        ...(faults ? { most: overview?.close.length ?? MOST_CLOSE } : {}),
      }),
    );
  const explained = parts.some(({ findings }) => findings.some(({ kind }) => kind === 'cause'));
  // Files whose day stands in their name alone show only together what breaks from day to day.
  if (odd) {
    const timed = (!explained || question.days.length > 0) && asksFor(question, 'wrong', 'missing');
    parts.unshift(await examineSeries(play, question, { tables: named.length > 0 ? likeNamed(named, tables) : tables, explained, timed }));
  }
  if (faults) parts.push(await examineFaults(play, { question, tables: chosen, all: tables, overview }));
  if (parts.every((part) => part.answer.length === 0)) {
    const isCause = asksFor(question, 'wrong', 'missing');
    if (faults) parts.push(noFaults(chosen, overview));
    else if (isCause) parts.push(nothingFound(withNamed(chosen, tables)));
    if (!faults && (!isCause || named.length > 0)) parts.push(await examineProfiles(play, question, chosen));
  }
  return mergeReports([...causesFirst(parts, question), failed]);
}

/** Those of the same series as a table that the question names, and nothing of other series. */
function likeNamed(named: readonly ListedTable[], tables: readonly ListedTable[]): readonly ListedTable[] {
  const series = new Set(named.map(seriesName));
  return tables.filter((table) => series.has(seriesName(table)));
}

/** Whether the question is for copies in a table that it names, and for nothing else. */
function onlyCopies({ aims }: Question, named: readonly ListedTable[]): boolean {
  return named.length > 0 && aims.size === 1 && aims.has('duplicates');
}

/** The tables in question first, then the others, the largest first. */
function withNamed(chosen: readonly ListedTable[], tables: readonly ListedTable[]): readonly ListedTable[] {
  return [...chosen, ...largestFirst(tables).filter((table) => !chosen.includes(table))];
}

/** A table of files has the file's path without its ending. */
function isArtifact(name: string, except: ReadonlySet<string>): boolean {
  return [...except].some((path) => path === name || bareName(path) === bareName(name));
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
  const hinted = await examineHints(play, tables, texts);
  if (touched.length === 0) return mergeReports([hinted, rest]);
  const { findings } = asObservations(await examineDuplicates(play, { question, chosen: touched, all: touched }));
  return mergeReports([hinted, { ...NOTHING, findings }, rest]);
}

const ABOUT_LAYOUT = /KeyError|columns?\b|schema|field|header|\bcast\b|convert|invalid (?:input|literal)|parse/i;
const ABOUT_FILES = /no such file|file ?not ?found|not found|NoSuchKey|\b404\b|empty file|missing file|zero bytes/i;

/** What an error of the logs points at in the files: a layout that changed, a file that is not there. */
async function examineHints(play: Play, tables: readonly ListedTable[], texts: readonly string[]): Promise<PartReport> {
  const said = texts.join('\n');
  const [layout, gaps] = await Promise.all([
    ABOUT_LAYOUT.test(said) ? examineDrift(play, tables) : NOTHING,
    ABOUT_FILES.test(said) ? examineFileGaps(play) : NOTHING,
  ]);
  const named = (claim: string): boolean =>
    [...claim.matchAll(/`([^`]+)`/g)].some(([, name = '']) => name.length > 2 && said.includes(name));
  const changed = layout.findings.filter(({ kind, claim }) => kind === 'cause' && named(claim));
  const told: PartReport = changed.length === 0 ? NOTHING : { ...layout, findings: changed };
  return mergeReports([told, gaps]);
}

function unreadText(listed: ToolResult): string {
  if (listed.status === 'no_data') return 'no_data';
  const failed = listed.warnings.some(({ code }) => code === 'source_failed');
  return `${failed ? 'A source could not be read: ' : ''}${whyUnread(listed) ?? listed.status}`;
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
