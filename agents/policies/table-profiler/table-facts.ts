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
}

const PARTS = '; ';
const CITED = / \[(?:(?:c\d+\.)*r\d+(?:, )?)+\]/g;

/** Two lines, every fact with its results: what the table is, and what is odd in it. */
export function conclusionOf(facts: TableFacts): string {
  const gaps = facts.failed.map((what) => `not checked: ${plain(what)}`);
  const odd = [...facts.odd.map(cited), ...gaps].join(PARTS);
  return `${cited(facts.summary)}\n${odd === '' ? `Nothing odd${cites(facts.summary.evidence)}` : `Odd: ${odd}`}`;
}

/** The facts of a conclusion of two lines, without their citations, as {@link plainFacts} gives them. */
export function factsOfConclusion(text: string): readonly string[] {
  const [summary = '', odd = ''] = text.split('\n');
  const parts = odd.startsWith('Odd: ') ? odd.slice('Odd: '.length).split(PARTS) : [];
  return [summary, ...parts].map((part) => part.replace(CITED, '')).filter((part) => part !== '');
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
