/** How parts of a rendering are coloured; each function answers its text, with or without codes around it. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

const same = (text: string): string => text;

/** No colours. */
export const PLAIN: Paint = { bold: same, dim: same, good: same, bad: same, warn: same };
