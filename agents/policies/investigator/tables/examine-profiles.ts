import type { Play } from '../../../../src/core/policy.ts';
import type { ToolResult } from '../../../../src/core/tool-result.ts';
import {
  callIfOffered,
  cite,
  type Finding,
  mergeReports,
  NOTHING,
  notChecked,
  type PartReport,
  usable,
  whyUnread,
} from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, read } from '../read-data.ts';
import { askSql, nameOf, quoted } from './ask-sql.ts';
import type { ListedTable } from './choose-tables.ts';
import { bareName } from './choose-tables.ts';
import { delegateProfiles, profilersPay } from './delegate-profiles.ts';
import { oddities, profileLine, readProfile } from './describe-profile.ts';

const MOST_TABLES = 8;

/** Profiles the tables, and, where they are files, says how each has to be read. */
export async function examineProfiles(play: Play, question: Question, tables: readonly ListedTable[]): Promise<PartReport> {
  if (profilersPay(play, tables)) return delegateProfiles(play, tables);
  const chosen = tables.slice(0, MOST_TABLES);
  const left = tables.slice(MOST_TABLES).map((table) => `\`${table.name}\``);
  const profiles = await Promise.all(
    chosen.map((table) => callIfOffered(play, 'profile_table', { table: table.name, source: table.source })),
  );
  const sniffed = await sniffFiles(
    play,
    chosen.filter((table) => table.kind === 'file'),
  );
  const told = chosen.map((table, index) => tellProfile(question, table, profiles[index]));
  const breaks = question.aims.has('profile') ? await lineBreaks(play, chosen, profiles) : NOTHING;
  const rest = left.length === 0 ? NOTHING : notChecked(`Tables that were not profiled: ${enumerate(left)}.`);
  const report = together(mergeReports(told));
  const unread = chosen.filter((_, index) => !usable(profiles[index])).map(({ name }) => `\`${name}\``);
  const gap = unread.length === 0 || report.answer.length === 0 ? [] : [`- Not read: ${enumerate(unread, unread.length)}.`];
  const odd = question.aims.has('profile')
    ? [...told.flatMap((one) => one.findings.slice(1)), ...sniffed.findings, ...breaks.findings]
    : [];
  const shown = odd
    .filter(({ kind }) => kind === 'observation')
    .map(({ claim, evidence }) => `- ${claim.replace(/\.$/, '')}${cite(...evidence.map((id) => ({ id })))}.`);
  return mergeReports([{ ...report, detail: [...report.detail, ...gap, ...shown] }, sniffed, breaks, rest]);
}

/** Several tables stand in a list; where all have the same figures, that is said first. */
function together(report: PartReport): PartReport {
  if (report.answer.length < 2) return report;
  const figures = new Set(report.answer.map((line) => line.replace(/^`[^`]*`: /, '').replace(/ \[r\d+\]\.$/, '')));
  const [same = ''] = figures;
  const ids = report.answer.map((line) => / (\[r\d+\])\.$/.exec(line)?.[1] ?? '').join(' ');
  const head = figures.size === 1 ? `All have the same figures: ${same} ${ids}.` : `${report.answer.length} tables were profiled:`;
  return { ...report, answer: [head], detail: [...report.answer.map((line) => `- ${line}`), ...report.detail] };
}

function tellProfile(question: Question, table: ListedTable, result: ToolResult | undefined): PartReport {
  if (!usable(result)) {
    const why = whyUnread(result) ?? 'no tool to profile tables is on offer';
    return notChecked(`\`${table.name}\` could not be profiled: ${why}`);
  }
  const profile = readProfile(result);
  const line = `${profileLine(profile, question)}${cite(result)}.`;
  const claim = line.replace(/ \[r\d+\]\.$/, '.');
  return {
    answer: [line],
    detail: [],
    findings: [{ kind: 'observation', claim, evidence: [result.id], confidence: 'high' }, ...oddities(profile)],
  };
}

/** Texts that hold a line break: the file has more lines than rows. */
async function lineBreaks(play: Play, tables: readonly ListedTable[], profiles: readonly (ToolResult | undefined)[]): Promise<PartReport> {
  const reports = await Promise.all(
    tables.map(async (table, index): Promise<PartReport> => {
      const profile = profiles[index];
      if (table.kind !== 'file' || !usable(profile)) return NOTHING;
      const texts = readProfile(profile)
        .columns.filter((column) => /varchar|text/i.test(column.text('type') ?? ''))
        .slice(0, 8);
      if (texts.length === 0) return NOTHING;
      const sums = texts.map((column) => `SUM(CASE WHEN ${quoted(nameOf(column))} LIKE '%' || CHR(10) || '%' THEN 1 ELSE 0 END)`);
      const answered = await askSql(play, table.source, `SELECT ${sums.join(', ')} FROM ${quoted(table.name)}`);
      const found = texts.flatMap((column, place) =>
        Number(answered?.rows[0]?.[place] ?? 0) > 0 ? [`\`${nameOf(column)}\` in ${String(answered?.rows[0]?.[place])} rows`] : [],
      );
      if (!answered || found.length === 0) return NOTHING;
      return {
        ...NOTHING,
        findings: [
          {
            kind: 'observation',
            claim: `In \`${table.name}\` a line break stands within ${enumerate(found, 6)}, so the file has more lines than rows.`,
            evidence: [answered.id],
            confidence: 'high',
          },
        ],
      };
    }),
  );
  return mergeReports(reports);
}

async function sniffFiles(play: Play, tables: readonly ListedTable[]): Promise<PartReport> {
  const sources = [...new Set(tables.map((table) => table.source))];
  const listings = await Promise.all(sources.map((source) => callIfOffered(play, 'list_files', { source, limit: 200 })));
  const paths = listings.filter(usable).flatMap((listing) => {
    const data = read(listing.data);
    const wanted = new Set(tables.filter((table) => table.source === data.text('source')).map((table) => bareName(table.name)));
    return data
      .list('files')
      .map((file) => file.text('path') ?? '')
      .filter((path) => wanted.has(bareName(path)) || wanted.has(path))
      .map((path) => ({ source: data.text('source') ?? '', path }));
  });
  const results = await Promise.all(paths.slice(0, MOST_TABLES).map((file) => callIfOffered(play, 'sniff_file', file)));
  return { ...NOTHING, findings: results.filter(usable).map(fileFinding) };
}

function fileFinding(result: ToolResult): Finding {
  const data = read(result.data);
  const encoding = data.at('encoding');
  const delimited = data.at('delimited');
  const endings = data.at('line_endings');
  const parts = [
    `encoding ${figure(encoding.text('name'))}${encoding.flag('byte_order_mark') ? ' with a byte order mark' : ''}`,
    ...(delimited.text('delimiter') === null ? [] : [`delimiter "${delimited.text('delimiter')}"`]),
    ...((delimited.number('preamble_lines') ?? 0) > 0
      ? [`${delimited.number('preamble_lines')} lines before the table that are not data`]
      : []),
    ...delimited.list('footer').map((line) => `line ${figure(line.number('line'))} at the end is not data (${line.text('text') ?? ''})`),
    ...(delimited.text('decimal_mark') === ',' ? ['decimal comma'] : []),
    ...(endings.flag('mixed') ? ['mixed line endings'] : []),
    ...data
      .list('columns')
      .flatMap((column) =>
        column.text('format') === null
          ? []
          : [
              `\`${column.text('name')}\` is written ${column.text('format')}${/date|time/.test(column.text('type') ?? '') ? ` (${column.text('evidence') ?? ''})` : ''}`,
            ],
      ),
  ];
  return {
    kind: 'observation',
    claim: `${data.text('path')} is ${figure(data.text('kind'))}: ${parts.slice(0, 10).join(', ')}; ${figure(data.at('rows').number('count'))} rows.`,
    evidence: [result.id],
    confidence: 'high',
  };
}
