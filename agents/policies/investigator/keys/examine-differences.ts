import type { Play } from '../../../../src/core/policy.ts';
import { seriesName } from '../files/series-of.ts';
import { callIfOffered, type Finding, mergeReports, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import { isKey, isTime, nameOf } from '../tables/ask-sql.ts';
import type { LookedAt } from '../tables/look-at-tables.ts';
import { compareGroups } from './compare-groups.ts';
import { examineChangedValues } from './examine-changed-values.ts';
import { examineFlags } from './examine-flags.ts';
import { matchInOtherForm } from './key-forms.ts';
import { narrowerKey } from './narrower-key.ts';
import { isNamedAfter } from './references.ts';

const MOST_PAIRS = 3;

export interface Pair {
  readonly left: LookedAt;
  readonly right: LookedAt;
  readonly key: string;
}

/** Rows that two tables with the same key tell of differently: which only one has, and whose values differ. */
export async function examineDifferences(play: Play, looked: readonly LookedAt[]): Promise<PartReport> {
  const reports = await Promise.all(
    pairsOf(looked)
      .slice(0, MOST_PAIRS)
      .map((pair) => examinePair(play, pair)),
  );
  return mergeReports(reports);
}

/** Pairs that hold the same things: a column of one name that tells the rows apart on both sides, and another column in common. */
function pairsOf(looked: readonly LookedAt[]): readonly Pair[] {
  return looked.flatMap((left, index) =>
    looked.slice(index + 1).flatMap((right) => {
      if (seriesName(left.table) === seriesName(right.table)) return [];
      const single = ({ profile }: LookedAt, name: string): boolean =>
        profile.columns.some((column) => nameOf(column) === name && column.number('distinct') === profile.rows);
      const key = left.profile.columns.find(
        (column) => isKey(column) && !isTime(column) && single(left, nameOf(column)) && single(right, nameOf(column)),
      );
      const shared = left.profile.columns.filter(
        (column) => column !== key && right.profile.columns.some((one) => nameOf(one) === nameOf(column)),
      );
      return key && shared.length > 0 && !isNamedApart(left, right, nameOf(key)) ? [{ left, right, key: nameOf(key) }] : [];
    }),
  );
}

/** A table of things and one of something else about some of them, such as customers and their last orders, are no copies. */
function isNamedApart(left: LookedAt, right: LookedAt, key: string): boolean {
  const names = left.profile.columns.map(nameOf);
  const shared = right.profile.columns.filter((column) => names.includes(nameOf(column))).length;
  const fewest = Math.min(names.length, right.profile.columns.length);
  // Every table may count its rows by an `id` of its own.
  if (/^id$/i.test(key)) return shared * 2 <= fewest;
  const few = shared * 3 < fewest + 1;
  return few && isNamedAfter(left, key) !== isNamedAfter(right, key);
}

/** The names that tell both tables apart. */
function namesOf({ left, right }: Pair): readonly [string, string] {
  const full = left.table.name === right.table.name;
  return full
    ? [`\`${left.table.source}.${left.table.name}\``, `\`${right.table.source}.${right.table.name}\``]
    : [`\`${left.table.name}\``, `\`${right.table.name}\``];
}

async function examinePair(play: Play, pair: Pair): Promise<PartReport> {
  const { left, right, key } = pair;
  const result = await callIfOffered(play, 'compare_tables', {
    left: left.table.name,
    left_source: left.table.source,
    right: right.table.name,
    right_source: right.table.source,
    key: [key],
  });
  if (!usable(result)) return NOTHING;
  const data = read(result.data);
  const [onlyLeft, onlyRight, changed, equal] = [
    data.at('only_left').number('rows') ?? 0,
    data.at('only_right').number('rows') ?? 0,
    data.number('changed') ?? 0,
    data.number('equal') ?? 0,
  ];
  const [leftName, rightName] = namesOf(pair);
  const names = `${leftName} and ${rightName}`;
  const evidence = [result.id];
  if (onlyLeft + onlyRight + changed === 0) {
    const flags = await examineFlags(play, pair);
    if (flags.answer.length > 0) return flags;
    return {
      ...NOTHING,
      findings: [
        {
          kind: 'ruled_out',
          claim: `A difference between ${names} by \`${key}\`: all ${figure(data.number('compared'))} rows compared are equal.`,
          evidence,
          confidence: result.complete ? 'high' : 'medium',
        },
      ],
    };
  }
  // Two tables of which no row is alike are no copies of one another.
  if (equal === 0) return NOTHING;
  const parts = [
    ...(onlyLeft > 0 ? [`${onlyLeft} rows only left, in ${leftName}`] : []),
    ...(onlyRight > 0 ? [`${onlyRight} rows only right, in ${rightName}`] : []),
    ...(changed > 0
      ? [
          `changed: ${changed} rows (${enumerate(
            data.list('changed_columns').map((one) => `\`${one.text('column') ?? ''}\` in ${figure(one.number('rows'))} rows`),
            5,
          )}${sampleText(data)})`,
        ]
      : []),
  ];
  const claim = `Compared by \`${key}\`, ${names} have equal ${equal}; ${parts.join('; ')}`;
  const finding: Finding = { kind: 'observation', claim: `${claim}.`, evidence, confidence: 'high' };
  const changedColumns = data.list('changed_columns').map((one) => one.text('column') ?? '');
  const [groups, how, flags] = await Promise.all([
    onlyLeft + onlyRight > 0 ? compareGroups(play, left, right) : NOTHING,
    changed > 0 ? examineChangedValues(play, pair, changedColumns) : NOTHING,
    examineFlags(play, pair),
  ]);
  const form = onlyLeft > 0 && onlyRight > 0 && left.table.source === right.table.source ? await keyForm(play, pair) : NOTHING;
  // One side holds all of the other, and more.
  const narrower =
    onlyLeft > 0 && onlyRight === 0
      ? await narrowerKey(play, { whole: left, part: right, key })
      : onlyRight > 0 && onlyLeft === 0
        ? await narrowerKey(play, { whole: right, part: left, key })
        : NOTHING;
  return mergeReports([narrower, form, flags, how, tell(finding), groups]);
}

/** Rows that only one side has, on both sides: the same rows, perhaps, with the key written otherwise. */
async function keyForm(play: Play, { left, right, key }: Pair): Promise<PartReport> {
  const form = await matchInOtherForm(play, { left, right, column: key, key });
  if (!form) return NOTHING;
  const claim = `The \`${key}\` of \`${left.table.name}\` that \`${right.table.name}\` lacks is there in another form${form.says}`;
  const finding: Finding = {
    kind: 'cause',
    claim: `${claim}.`,
    evidence: [form.id],
    confidence: 'high',
    refuted_by: 'two different rows whose keys look alike',
  };
  return tell(finding);
}

function sampleText(data: Reading): string {
  const [sample] = data.at('samples').list('changed');
  const [column] = sample?.list('columns') ?? [];
  const key = sample?.at('key').value;
  if (!sample || !column || !Array.isArray(key)) return '';
  return `, for example key ${key.join(', ')}: left ${String(column.at('left').value)}, right ${String(column.at('right').value)}`;
}
