import type { Play } from '../../../src/core/policy.ts';
import { unreadableFiles } from '../investigator/files/unreadable-files.ts';
import { callIfOffered, mergeReports, type PartReport, usable, whyUnread } from '../investigator/part-report.ts';
import { read } from '../investigator/read-data.ts';
import { bareName, type ListedTable } from '../investigator/tables/choose-tables.ts';
import { say } from './say.ts';
import type { PlainRequest } from './target-table.ts';

const SHOWN = 60;
/** Which files no table comes of, with the reason, and which are read only in part. */
export async function answerUnreadable(play: Play, { tables, listed }: PlainRequest): Promise<PartReport | undefined> {
  const found = await unreadableFiles(play, tables);
  const [sound] = tables;
  if (found.answer.length > 0 || !sound) return found;
  const look = await callIfOffered(play, 'describe_table', { table: sound.name, source: sound.source });
  return usable(look) ? say('Every file that was taken for a table can be read', listed, look.id) : undefined;
}

/** How many rows each table has, the largest first; those that a listing does not count are counted. */
export async function answerEach(play: Play, { tables, listed, question }: PlainRequest): Promise<PartReport | undefined> {
  const spoken = tables.filter(({ name }) => question.plain.includes(` ${bareName(name).toLowerCase()} `));
  const wanted = spoken.length > 1 ? spoken : tables;
  const [largest] = [...wanted].sort((left, right) => Number(right.rows ?? 0) - Number(left.rows ?? 0));
  const counts = await Promise.all(
    wanted.map(async (table) => {
      // One is counted to see that the listing holds.
      if (table.rows !== null && table !== largest) return { table, rows: table.rows, id: listed, why: undefined };
      const counted = await callIfOffered(play, 'query_sql', { source: table.source, sql: `SELECT COUNT(*) AS rows FROM ${named(table)}` });
      const cells = usable(counted) ? read(counted.data).at('rows').value : undefined;
      const [[count] = []] = Array.isArray(cells) ? (cells as unknown[][]) : [];
      const rows = count === undefined ? table.rows : String(count);
      return { table, rows, id: counted?.id ?? '', why: usable(counted) ? undefined : whyUnread(counted) };
    }),
  );
  const sources = new Set(wanted.map(({ source }) => source));
  const title = ({ source, name }: ListedTable): string => (sources.size > 1 ? `\`${source}.${name}\`` : `\`${name}\``);
  const known = counts.filter(({ rows }) => rows !== null).sort((left, right) => Number(right.rows) - Number(left.rows));
  const uncounted = counts.filter(({ rows }) => rows === null);
  const unknown = uncounted.map(({ table }) => title(table));
  const [failed] = uncounted.filter(({ why }) => why !== undefined);
  const why = failed ? `, the first because of: ${failed.why}` : '';
  if (known.length === 0) return undefined;
  const told = known.slice(0, SHOWN).map(({ table, rows }) => `${title(table)} ${rows}`);
  const more = known.length > SHOWN ? ', and others' : '';
  const ids = [...new Set(known.slice(0, SHOWN).map(({ id }) => id))].slice(0, 8);
  const head = say(`Rows of each table: ${told.join(', ')}${more}`, ...ids);
  return unknown.length === 0
    ? head
    : mergeReports([
        head,
        say(
          `These cannot be counted, as they cannot be read: ${unknown.slice(0, 12).join(', ')}${unknown.length > 12 ? ', and others' : ''}${why}`,
          failed?.id ?? '',
        ),
      ]);
}

/** A name with its schema, part by part. */
function named({ name, kind }: ListedTable): string {
  const parts = kind === 'file' ? [name] : name.split('.');
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}
