import type { Play } from '../../../src/core/policy.ts';
import { bareName, type ListedTable } from '../investigator/choose-tables.ts';
import { callIfOffered, mergeReports, type PartReport, usable, whyUnread } from '../investigator/part-report.ts';
import { enumerate, read } from '../investigator/read-data.ts';
import { say } from './say.ts';
import type { PlainRequest } from './target-table.ts';

const SHOWN = 60;
const MOST_TRIED = 40;
/** What a reader says where it could take a file only in part. */
const IN_PART = /bad_json|cut_last_line|bad_rows|rows_skipped|unreadable|broken|damaged|encoding/;

/** Which files no table comes of, with the reason, and which are read only in part. */
export async function answerUnreadable(play: Play, { tables, listed }: PlainRequest): Promise<PartReport | undefined> {
  const tried = tables.filter(({ rows, kind }) => rows === null && kind === 'file').slice(0, MOST_TRIED);
  const [listing, ...looks] = await Promise.all([
    callIfOffered(play, 'list_tables', { limit: 200 }),
    ...tried.map((table) => callIfOffered(play, 'describe_table', { table: table.name, source: table.source })),
  ]);
  const failed = tried.flatMap((table, place) => {
    const look = looks[place];
    if (usable(look)) return [];
    return [{ text: `\`${table.name}\` (${whyUnread(look)?.replace(/[.\s]+$/, '') ?? 'no reason given'})`, id: look?.id ?? '' }];
  });
  const said = (listing?.warnings ?? []).filter(({ code }) => IN_PART.test(code)).map(({ message }) => message);
  const empty = await emptyFiles(play, tables);
  const head =
    failed.length === 0
      ? say('Every file that was taken for a table can be read', listed)
      : say(
          `Cannot be read as ${failed.length === 1 ? 'a table' : 'tables'}: ${enumerate(
            failed.map(({ text }) => text),
            12,
          )}`,
          listed,
          ...failed.map(({ id }) => id),
        );
  const part = said.length === 0 ? [] : [say(`Read only in part: ${said.join('; ')}`, listing?.id ?? listed)];
  return mergeReports([head, ...part, ...empty]);
}

/** Files without a byte, and those that are not what their name says. */
async function emptyFiles(play: Play, tables: readonly ListedTable[]): Promise<PartReport[]> {
  const sources = [...new Set(tables.filter(({ kind }) => kind === 'file').map(({ source }) => source))];
  const listings = await Promise.all(sources.map((source) => callIfOffered(play, 'list_files', { source, limit: 200 })));
  return listings.filter(usable).flatMap((listing) => {
    const data = read(listing.data);
    const empty = data.at('empty').texts('paths');
    const misnamed = data
      .at('misnamed')
      .list('files')
      .map((file) => `\`${file.text('path') ?? ''}\` is ${file.text('is') ?? 'unknown'} and not ${file.text('named') ?? 'unknown'}`);
    return [
      ...(empty.length > 0 ? [say(`Without a single byte: ${enumerate(empty.map((path) => `\`${path}\``))}`, listing.id)] : []),
      ...(misnamed.length > 0 ? [say(`Not what the name says: ${enumerate(misnamed)}`, listing.id)] : []),
    ];
  });
}

/** How many rows each table has, the largest first; those that a listing does not count are counted. */
export async function answerEach(play: Play, { tables, listed, question }: PlainRequest): Promise<PartReport | undefined> {
  const spoken = tables.filter(({ name }) => question.plain.includes(` ${bareName(name).toLowerCase()} `));
  const wanted = spoken.length > 1 ? spoken : tables;
  const counts = await Promise.all(
    wanted.map(async (table) => {
      if (table.rows !== null) return { table, rows: table.rows, id: listed };
      const counted = await callIfOffered(play, 'query_sql', { source: table.source, sql: `SELECT COUNT(*) AS rows FROM ${named(table)}` });
      const rows = usable(counted) ? read(counted.data).at('rows').value : undefined;
      const [[count] = []] = Array.isArray(rows) ? (rows as unknown[][]) : [];
      return { table, rows: count === undefined ? null : String(count), id: counted?.id ?? '' };
    }),
  );
  const sources = new Set(wanted.map(({ source }) => source));
  const title = ({ source, name }: ListedTable): string => (sources.size > 1 ? `\`${source}.${name}\`` : `\`${name}\``);
  const known = counts.filter(({ rows }) => rows !== null).sort((left, right) => Number(right.rows) - Number(left.rows));
  const unknown = counts.filter(({ rows }) => rows === null).map(({ table }) => title(table));
  if (known.length === 0) return undefined;
  const told = known.slice(0, SHOWN).map(({ table, rows }) => `${title(table)} ${rows}`);
  const more = known.length > SHOWN ? ', and others' : '';
  const ids = [...new Set(known.slice(0, SHOWN).map(({ id }) => id))].slice(0, 8);
  const head = say(`Rows of each table: ${told.join(', ')}${more}`, ...ids);
  return unknown.length === 0
    ? head
    : mergeReports([head, say(`These cannot be counted, as they cannot be read: ${enumerate(unknown, 12)}`, '')]);
}

/** A name with its schema, part by part. */
function named({ name, kind }: ListedTable): string {
  const parts = kind === 'file' ? [name] : name.split('.');
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}
