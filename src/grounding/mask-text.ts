/** A stretch of the text that no figure is read from. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Citation extends Span {
  readonly ids: readonly string[];
}

const CITATION =
  /\[\[?\s*((?:c\d+\.)*[rc]\d+(?:\s*[,;]\s*(?:c\d+\.)*[rc]\d+)*)\s*\]\]?|\(((?:c\d+\.)*r\d+(?:\s*[,;]\s*(?:c\d+\.)*r\d+)*)\)|(?<![\p{L}\p{N}_.`])((?:c\d+\.)*r\d+)(?![\p{L}\p{N}_])/gu;

/** Ids of tool results as the text cites them: `[r3]`, `[c2.r1, r4]`, `(r3)`. */
export function readCitations(text: string): Citation[] {
  return [...text.matchAll(CITATION)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    ids: (match[1] ?? match[2] ?? match[3] ?? '').split(/\s*[,;]\s*/),
  }));
}

const NO_FIGURES: readonly RegExp[] = [
  /```[\s\S]*?(?:```|$)/g,
  // Code spans that hold a command or a statement are advice, not figures.
  /`(?:SELECT|WITH|INSERT|UPDATE|DELETE|ALTER|CREATE|MERGE|DROP|soloist|airflow|dbt|git|curl|python|npm|npx)\s[^`]*`/gi,
  // The numbers of lists, headings and steps.
  /^[ \t]*(?:>\s*)?\d{1,2}[.)](?=\s)/gm,
  /^#{1,6}\s+\d+(?:\.\d+)*[.)]?(?=\s)/gm,
  /^[ \t]*(?:[-*#]+\s*)?(?:\*\*)?(?:step|option|phase|section|part|note|finding|hypothesis|schritt)\s+\d{1,2}(?=\s*[:.)–*-])/gim,
  /\[\^\d+\]/g,
  /\]\([^)\s]*\)/g,
];

/** Stretches that hold no figures: code blocks, commands, list numbers, footnote marks and link targets. */
export function findSilent(text: string): Span[] {
  return NO_FIGURES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
  );
}

/** The text with these stretches blanked, character for character, so that places stay the same. */
export function blank(text: string, spans: readonly Span[]): string {
  let blanked = text;
  for (const { start, end } of spans) blanked = blanked.slice(0, start) + ' '.repeat(end - start) + blanked.slice(end);
  return blanked;
}

const TERMS =
  /^(?:utf-?(?:8|16|32)(?:-?(?:le|be|sig))?|utf8mb4|iso-?8601|iso-?8859-?\d+|latin-?1|cp125\d|windows-125\d|sha-?(?:1|2|256|512)|md5|base64|s3|ec2|http\/[123]|http2|ipv[46]|u?int(?:8|16|32|64)|float(?:32|64)|x86(?:_64)?|arm64|[qh][1-4]|p\d{2}(?:\.\d+)?|oauth2?|log4j2?|bzip2|k8s|i18n|e2e|24\/7|g1gc|r2|[12]d|z[- ]?score)$/i;

/** Names of encodings, standards and the like, whose digits say nothing about the data. */
export function isTerm(chunk: string): boolean {
  return TERMS.test(chunk);
}
