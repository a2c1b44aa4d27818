import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, type Finding, mergeReports, type PartReport, tell, usable, whyUnread } from '../part-report.ts';
import { enumerate, read } from '../read-data.ts';
import type { ListedTable } from '../tables/choose-tables.ts';

const MOST_TRIED = 40;
/** What a reader says where it could take a file only in part. */
const IN_PART = /bad_json|cut_last_line|bad_rows|rows_skipped|unreadable|broken|damaged|encoding/;

/** Files of which no table comes, with the reason; files read only in part; files without a byte, or that are not what their name says. */
export async function unreadableFiles(play: Play, tables: readonly ListedTable[]): Promise<PartReport> {
  const tried = tables.filter(({ rows, kind }) => rows === null && kind === 'file').slice(0, MOST_TRIED);
  // A file that can be read beside those that cannot shows that the source is there.
  const sound = tables.find(({ rows }) => rows !== null);
  const [listing, , ...looks] = await Promise.all([
    callIfOffered(play, 'list_tables', { limit: 200 }),
    sound && tried.length > 0 && callIfOffered(play, 'describe_table', { table: sound.name, source: sound.source }),
    ...tried.map((table) => callIfOffered(play, 'describe_table', { table: table.name, source: table.source })),
  ]);
  const failed = tried.flatMap((table, place) => {
    const look = looks[place];
    if (usable(look)) return [];
    return [{ text: `\`${table.name}\` (${whyUnread(look)?.replace(/[.\s]+$/, '') ?? 'no reason given'})`, id: look?.id ?? '' }];
  });
  const told = enumerate(
    failed.map(({ text }) => text),
    12,
  );
  const part = (listing?.warnings ?? []).filter(({ code }) => IN_PART.test(code)).map(({ message }) => message);
  const ids = [...(listing ? [listing.id] : []), ...failed.map(({ id }) => id)];
  return mergeReports([
    ...(failed.length > 0 ? [fault(`Cannot be read as ${failed.length === 1 ? 'a table' : 'tables'}: ${told}`, ids)] : []),
    ...(part.length > 0 && listing ? [fault(`Read only in part: ${part.join('; ')}`, [listing.id])] : []),
    ...(await oddFiles(play, tables)),
  ]);
}

async function oddFiles(play: Play, tables: readonly ListedTable[]): Promise<PartReport[]> {
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
      ...(empty.length > 0 ? [fault(`Without a single byte: ${enumerate(empty.map((path) => `\`${path}\``))}`, [listing.id])] : []),
      ...(misnamed.length > 0 ? [fault(`Not what the name says: ${enumerate(misnamed)}`, [listing.id])] : []),
    ];
  });
}

function fault(claim: string, evidence: readonly string[]): PartReport {
  const finding: Finding = { kind: 'observation', claim: `${claim}.`, evidence: evidence.filter((id) => id !== ''), confidence: 'high' };
  return tell(finding);
}
