import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, type Finding, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { type Reading, read } from '../read-data.ts';
import type { Layout } from './file-layout.ts';

/** How one file is written, each property with the words for it. */
interface Writing {
  readonly layout: Layout;
  readonly id: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** Files of a series that are written otherwise than most: another delimiter, encoding or decimal mark, lines before the header. */
export async function examineWriting(play: Play, layouts: readonly Layout[]): Promise<PartReport> {
  const [first] = layouts;
  const listing = first && (await callIfOffered(play, 'list_files', { source: first.table.source, limit: 200 }));
  if (!usable(listing)) return NOTHING;
  const paths = read(listing.data)
    .list('files')
    .map((file) => file.text('path') ?? '');
  const written = (await Promise.all(layouts.map((layout) => readWriting(play, layout, paths)))).filter((one) => one !== undefined);
  if (written.length < 3) return NOTHING;
  const usual = new Map(PROPERTIES.map(([name]) => [name, mostCommon(written.map(({ properties }) => properties.get(name)))]));
  const found = written.flatMap(({ layout, id, properties }): Finding[] => {
    const other = PROPERTIES.flatMap(([name]) => {
      const [own, common] = [properties.get(name), usual.get(name)];
      return own !== undefined && common !== undefined && own !== common ? [`${name} ${own} in place of ${common}`] : [];
    });
    if (other.length === 0) return [];
    const claim = `\`${layout.title}\` is written otherwise than most of the files (${other.join(', ')}), and was read as it is written.`;
    return [{ kind: 'observation', claim, evidence: [id], confidence: 'high' }];
  });
  if (found.length * 3 > layouts.length) return NOTHING;
  return tell(...found);
}

const PROPERTIES: readonly (readonly [string, (data: Reading) => string | null])[] = [
  ['delimiter', (data) => quoted(data.at('delimited').text('delimiter'))],
  ['decimal mark', (data) => quoted(data.at('delimited').text('decimal_mark'))],
  ['encoding', (data) => data.at('encoding').text('name')],
  ['lines before the header', (data) => countOf(data.at('delimited').number('preamble_lines'))],
];

const quoted = (text: string | null): string | null => (text === null ? null : text === '\t' ? 'tab' : `"${text}"`);
const countOf = (count: number | null): string | null => (count === null ? null : String(count));

async function readWriting(play: Play, layout: Layout, paths: readonly string[]): Promise<Writing | undefined> {
  const { table } = layout;
  const path = paths.find((one) => one === table.name || one.replace(/(?:\.[A-Za-z0-9]+){1,2}$/, '') === table.name);
  const sniffed = path === undefined ? undefined : await callIfOffered(play, 'sniff_file', { source: table.source, path });
  if (!usable(sniffed)) return undefined;
  const data = read(sniffed.data);
  const told = PROPERTIES.flatMap(([name, of]) => {
    const value = of(data);
    return value === null ? [] : [[name, value] as const];
  });
  return { layout, id: sniffed.id, properties: new Map(told) };
}

/** The value that more than half of the files have. */
function mostCommon(values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && values.filter((other) => other === value).length * 2 > values.length);
}
