import { capital } from '../investigator/read-data.ts';

/** One odd thing in a table, in words that stand alone, with the results that show it and what can be done. */
export interface TableFact {
  readonly text: string;
  readonly evidence: readonly string[];
  readonly remedy?: string;
  /** Set for what the values of one column show. */
  readonly about?: 'column';
}

/** What is known of one table: a line about all of it, and what is odd. */
export interface TableFacts {
  readonly table: string;
  readonly summary: TableFact;
  readonly odd: readonly TableFact[];
  /** What could not be looked at, and why. */
  readonly failed: readonly string[];
  /** What of it could not be read as rows: the rest was looked at. */
  readonly unread: readonly string[];
}

const PARTS = '; ';
const NOT_CHECKED = 'not checked: ';
const CITED = / \[(?:(?:c\d+\.)*r\d+(?:, )?)+\]/g;

/** Two lines, every fact with its results: what the table is, and what is odd in it. */
export function conclusionOf(facts: TableFacts): string {
  if (facts.odd.length === 0 && facts.failed.length > 0)
    return `${cited(facts.summary)}\n${capital(NOT_CHECKED)}${facts.failed.map(plain).join(', ')}${cites(facts.summary.evidence)}`;
  const gaps = [...facts.failed, ...facts.unread].map((what) => `${NOT_CHECKED}${plain(what)}`);
  const odd = [...facts.odd.map(cited), ...gaps].join(PARTS);
  return `${cited(facts.summary)}\n${odd === '' ? `Nothing odd${cites(facts.summary.evidence)}` : `Odd: ${odd}`}`;
}

/** The facts of a conclusion of two lines, without their citations, as {@link plainFacts} gives them. */
export function factsOfConclusion(text: string): readonly string[] {
  const [summary = '', odd = ''] = text.split('\n');
  const parts = odd.startsWith('Odd: ') ? odd.slice('Odd: '.length).split(PARTS) : [];
  return [summary, ...parts].map((part) => part.replace(CITED, '')).filter((part) => part !== '' && !part.startsWith(NOT_CHECKED));
}

/** What a conclusion says was not checked, without its citations; undefined where it says no such thing. */
export function failureOf(text: string): string | undefined {
  const [first = '', ...more] = text
    .split('\n')
    .flatMap((line) => line.replace(/^Odd: /, '').split(PARTS))
    .map((part) => part.replace(CITED, '').replace(/\.$/, ''))
    .filter((part) => part.toLowerCase().startsWith(NOT_CHECKED))
    .map((part) => part.slice(NOT_CHECKED.length));
  return first === '' ? undefined : [first, ...more].join(', ');
}

/** The same of facts at hand. */
export function plainFacts(facts: TableFacts): readonly string[] {
  return factsOfConclusion(conclusionOf(facts));
}

function cited({ text, evidence }: TableFact): string {
  return `${plain(text)}${cites(evidence)}`;
}

function cites(ids: readonly string[]): string {
  const known = [...new Set(ids)].filter((id) => id !== '');
  return known.length === 0 ? '' : ` [${known.join(', ')}]`;
}

/** One line without the mark that parts facts. */
function plain(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll(PARTS, ', ');
}
