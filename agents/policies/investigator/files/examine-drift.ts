import { groupBy } from '../../../../src/core/group-by.ts';
import type { Play } from '../../../../src/core/policy.ts';
import { cite, type Finding, mergeReports, NOTHING, notChecked, type PartReport, tell } from '../part-report.ts';
import type { Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading } from '../read-data.ts';
import { isKey, isNumber, isSameCode, isText } from '../tables/ask-sql.ts';
import { bareName, type ListedTable } from '../tables/choose-tables.ts';
import type { ProfiledTable } from '../tables/describe-profile.ts';
import { isSentinel } from '../tables/examine-sentinels.ts';
import { damagedFiles } from './damaged-files.ts';
import { examineTexts } from './examine-texts.ts';
import { examineWriting } from './examine-writing.ts';
import { type Layout, LEAST_ROWS, middle, middleText, readLayout, usualLayout } from './file-layout.ts';
import { seriesOf } from './series-of.ts';
import { seriesTotal } from './series-total.ts';
import { swappedColumns } from './swapped-columns.ts';

const MOST_FILES = 31;
const LEAST_FILES = 3;
const MOST_TEXTS = 3;
const MOST_CITED = 3;
/** A column whose middle value moves by so many times has changed its meaning or unit. */
const MOVED = 20;

/** What changed from file to file of a series: columns, their order and types, and values that moved by far. */
export async function examineDrift(play: Play, tables: readonly ListedTable[], question?: Question): Promise<PartReport> {
  const all = seriesOf(tables, LEAST_FILES);
  const series = all.slice(0, MOST_FILES);
  if (series.length === 0) return NOTHING;
  const layouts = (await Promise.all(series.map((table) => readLayout(play, table, series)))).filter((layout) => layout !== undefined);
  const [first, ...others] = layouts;
  if (!first || others.length === 0) return notChecked('What changed from file to file: their columns could not be read.');
  const damaged = damagedFiles(layouts, question);
  const changes = others.flatMap((layout) => {
    const swapped = swappedColumns(layout, layouts);
    const found = [...layoutChanges(first, layout), ...valueChanges(layout, layouts), ...swapped];
    return found.length === 0 ? [] : [{ layout, text: found.join('; '), swapped: swapped.length > 0 }];
  });
  const asksTotal = question !== undefined && / (total|totals|sum|altogether|overall) /.test(question.plain);
  // Values that stand in the wrong column add up to nothing.
  const summable = changes.length > 0 && !changes.some(({ swapped }) => swapped);
  const total = summable || asksTotal ? await seriesTotal(play, layouts) : undefined;
  const right = total ? tell(totalFinding(total)) : NOTHING;
  const sums = layouts.flatMap((layout) => (layout.profile ? [sumsLine(layout.title, layout.profile)] : []));
  const [writing, texts] = await Promise.all([examineWriting(play, layouts), textsIn(play, first, others)]);
  const parts =
    changes.length > 0 ? [texts, changed(first, changes), damaged, writing, right] : [damaged, writing, right, unchanged(first, layouts)];
  const heading = changes.length > 0 ? ['Totals as each file gives them, by its own column names and units:'] : [];
  const { answer, findings } = mergeReports([...parts, notLookedAt(all)]);
  // That nothing changed is said where it was asked, and there is nothing else to say.
  const told = changes.length > 0 || (answer.length < 2 && question?.aims.has('drift') !== false) ? answer : answer.slice(0, -1);
  return { answer: told, detail: told.length > 0 ? [...heading, ...sums] : [], findings };
}

function notLookedAt(series: readonly ListedTable[]): PartReport {
  const left = series.slice(MOST_FILES);
  const names = left.map(({ name }) => `\`${bareName(name)}\``);
  return left.length === 0
    ? NOTHING
    : notChecked(`Changes in the further ${left.length} of a series of ${series.length}: ${enumerate(names, 3)}.`);
}

interface Changed {
  readonly layout: Layout;
  readonly text: string;
}

function changed(first: Layout, changes: readonly Changed[]): PartReport {
  const name = first.title;
  const findings = changes.map(
    ({ layout, text }): Finding => ({
      kind: 'cause',
      claim: `Against \`${name}\`, \`${layout.title}\`: ${text}.`,
      evidence: [first.result, layout.result, ...(layout.profile ? [layout.profile.result] : [])],
      confidence: 'high',
    }),
  );
  return { answer: [`Against \`${name}\`, these later files changed: ${told(changes).join('. ')}.`], detail: [], findings };
}

/** The changes in words, those of several files that changed alike in one sentence. */
function told(changes: readonly Changed[]): string[] {
  return [...groupBy(changes, ({ text }) => text)].map(([text, alike]) => {
    const evidence = alike.slice(0, MOST_CITED).flatMap(({ layout }) => [{ id: layout.result }, { id: layout.profile?.result ?? '' }]);
    const titles = alike.map(({ layout }) => `\`${layout.title}\``);
    const [first, last] = [titles[0] ?? '', titles.at(-1) ?? ''];
    return `${titles.length > MOST_CITED ? `${first} to ${last}` : enumerate(titles)}: ${text}${cite(...evidence)}`;
  });
}

function unchanged(first: Layout, layouts: readonly Layout[]): PartReport {
  const claim = `A change of columns or their types in the ${layouts.length} files from \`${first.title}\` on: none.`;
  const evidence = layouts.map((layout) => layout.result);
  return { answer: [claim], detail: [], findings: [{ kind: 'ruled_out', claim, evidence, confidence: 'high' }] };
}

function totalFinding({ claim, id }: { readonly claim: string; readonly id: string }): Finding {
  return {
    kind: 'observation',
    claim: `${claim}.`,
    evidence: [id],
    confidence: 'medium',
    refuted_by: 'another total in the source of the files',
  };
}

function layoutChanges(first: Layout, layout: Layout): string[] {
  const [before, now] = [first.columns, layout.columns];
  const same = (left: string, right: string): boolean => left.trim().toLowerCase() === right.trim().toLowerCase();
  const gone = before.filter((column) => !now.some((other) => same(other.name, column.name)));
  const added = now.filter((column) => !before.some((other) => same(other.name, column.name)));
  const found: string[] = [];
  for (const column of gone) {
    const place = before.indexOf(column);
    const successor = added.find((other) => now.indexOf(other) === place);
    found.push(successor ? `\`${column.name}\` is called \`${successor.name}\`` : `\`${column.name}\` is gone`);
    if (successor) added.splice(added.indexOf(successor), 1);
  }
  for (const column of added) found.push(`new column \`${column.name}\` (${column.type})`);
  const kept = before.filter((column) => !gone.includes(column));
  const moved = kept.filter((column) => now.findIndex((other) => same(other.name, column.name)) !== before.indexOf(column));
  if (moved.length > 0 && gone.length === 0 && added.length === 0)
    found.push(`the order of ${enumerate(moved.map((column) => `\`${column.name}\``))} changed`);
  for (const column of kept) {
    const other = now.find((one) => same(one.name, column.name));
    if (!other) continue;
    if (other.name !== column.name) found.push(`the header says "${other.name}" in place of "${column.name}"`);
    const [text, number] = [profiled(first, column.name), profiled(layout, other.name)];
    const isCode = text !== undefined && number !== undefined && (isSameCode(text, number) || isSameCode(number, text));
    if (kindOf(other.type) !== kindOf(column.type) && !isCode && !isEmpty(first, column.name) && !isEmpty(layout, other.name))
      found.push(`\`${column.name}\` became ${other.type} from ${column.type}`);
  }
  return found;
}

/** Columns that are numbers in the first file and texts in later ones. */
async function textsIn(play: Play, first: Layout, others: readonly Layout[]): Promise<PartReport> {
  const numbers = (first.profile?.columns ?? []).filter(isNumber).map((column) => column.text('name') ?? '');
  const texts = numbers.flatMap((name) => {
    const isTextIn = (layout: Layout): boolean => {
      const column = profiled(layout, name);
      return column !== undefined && isText(column) && !isEmpty(layout, name);
    };
    const layouts = others.filter(isTextIn);
    return layouts.length > 0 ? [{ name, layouts }] : [];
  });
  return mergeReports(await Promise.all(texts.slice(0, MOST_TEXTS).map(({ name, layouts }) => examineTexts(play, layouts, name))));
}

/** A column without a single value has no type of its own. */
function isEmpty(layout: Layout, name: string): boolean {
  return layout.profile === undefined || layout.profile.rows === 0 || profiled(layout, name)?.number('null') === layout.profile.rows;
}

function profiled({ profile }: Layout, name: string): Reading | undefined {
  return profile?.columns.find((column) => column.text('name') === name);
}

/** How many digits a decimal of a text file has follows from the values that it happens to hold. */
function kindOf(type: string): string {
  return type.replace(/^(decimal|numeric)\(.*\)$/i, 'DECIMAL');
}

/** Columns whose middle value is far from that of the same column in most files. */
function valueChanges(layout: Layout, all: readonly Layout[]): string[] {
  return layout.columns.flatMap(({ name }) => {
    const own = middle(layout.profile, name);
    const like = usualLayout(layout, all, name);
    const usual = middle(like?.profile, name);
    if (own === null || usual === null || (layout.profile?.rows ?? 0) < LEAST_ROWS) return [];
    if (own * MOVED > usual && usual * MOVED > own) return [];
    if (isSentinel(String(own)))
      return [`the middle value of \`${name}\` is ${middleText(layout.profile, name)}: likely a sentinel that stands for "no value"`];
    return [
      `the middle value of \`${name}\` is ${middleText(layout.profile, name)}, in the other files about ${middleText(like?.profile, name)}: another unit or another meaning`,
    ];
  });
}

function sumsLine(title: string, profile: ProfiledTable): string {
  const sums = profile.columns.flatMap((column: Reading) => {
    const { value } = column.at('sum');
    if (isKey(column)) return [];
    return typeof value === 'string' || typeof value === 'number' ? [`\`${column.text('name')}\` ${value}`] : [];
  });
  return `- \`${title}\`: ${figure(profile.rows)} rows; ${sums.join(', ')} [${profile.result}]`;
}
