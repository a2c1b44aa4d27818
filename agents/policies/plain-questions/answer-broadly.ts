import type { Play } from '../../../src/core/policy.ts';
import { mergeReports, type PartReport } from '../investigator/part-report.ts';
import { nameOf } from '../investigator/tables/ask-sql.ts';
import { namedTables, speaksOf } from '../investigator/tables/choose-tables.ts';
import { describeTables, lookAtTables } from '../investigator/tables/look-at-tables.ts';
import { answerMoney, answerPerRow } from './answer-across.ts';
import { answerNulls } from './answer-figures.ts';
import { answerIntegrity, answerUnique } from './answer-keys.ts';
import { answerEach, answerUnreadable } from './answer-readable.ts';
import { asksPlainly } from './read-plain.ts';
import { oneSeries } from './series-looked.ts';
import type { PlainRequest } from './target-table.ts';

type Answer = (play: Play, request: PlainRequest) => Promise<PartReport | undefined>;

const MOST_TABLES = 40;

/** Questions of several tables, or of none in particular, that one look answers. */
const BROAD: readonly (readonly [pattern: RegExp, answer: Answer])[] = [
  [
    /\b(files?|tables?|sources?|data)\b.*\b(cannot|can't|could not|couldn't|can not|not|un)\b.*\b(read|readable|opened|parsed|loaded)\b|\bunreadable\b|\b(broken|corrupt\w*|damaged) files?\b|\bfiles? .*\b(broken|corrupt\w*|damaged|unparsable)\b/,
    answerUnreadable,
  ],
  [
    /\brows?\b.*\b(each|every|all|per|by)\b.*\b(tables?|files?|datasets?)\b|\b(tables?|files?)\b.*\brow counts?\b|\brow counts?\b.*\btables?\b/,
    answerEach,
  ],
  [/\breferential\b|\bforeign keys?\b|\borphans?\b|\borphaned\b|\b(references|relations) (intact|valid|broken|sound)\b/, answerIntegrity],
  [/^(is|are|does|do|has|have)\b.*\b(unique|uniquely)\b/, answerUnique],
  [/\b(nulls?|empty|missing|blanks?|not filled)\b/, answerNullsEverywhere],
  [/\bhow many\b|\bnumber of\b|\bcount\b|\b(which|what) \w+ (has|have|had) (the )?(most|fewest|least)\b/, answerPerRow],
  [/\b(revenue|sales|turnover|income|earnings|spent|spend|spends|paid|money|bought)\b/, answerMoney],
];

/** Whether a question may be one of these. */
export function asksBroadly(question: string): boolean {
  const text = question.toLowerCase();
  return asksPlainly(text) && BROAD.some(([pattern]) => pattern.test(text));
}

/** The answer to a question that is not of one table alone; undefined where it is none of these. */
export async function answerBroadly(play: Play, request: PlainRequest): Promise<PartReport | undefined> {
  const text = request.question.text.toLowerCase();
  if (!asksBroadly(text)) return undefined;
  for (const [pattern, answer] of BROAD) {
    const told = pattern.test(text) ? await answer(play, request) : undefined;
    if (told) return told;
  }
  return undefined;
}

/** How often a column that several tables have is empty, table by table. */
async function answerNullsEverywhere(play: Play, { question, tables }: PlainRequest): Promise<PartReport | undefined> {
  if (!/\b(how (many|often)|are there|is|which|count|number)\b/i.test(question.text) || namedTables(question, tables).length === 1)
    return undefined;
  if (tables.length < 2 || oneSeries(tables).length > 0) return undefined;
  const described = await describeTables(play, tables.slice(0, MOST_TABLES));
  const having = described
    .filter(({ columns }) => columns.some((column) => nameOf(column).length > 1 && speaksOf(question, nameOf(column))))
    .map(({ table }) => table);
  if (having.length === 0) return undefined;
  const looked = await lookAtTables(play, having, 8);
  const told = await Promise.all(looked.map((one) => answerNulls(play, question, one)));
  const known = told.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : mergeReports(known);
}
