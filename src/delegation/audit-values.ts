/** The most values remembered of one child; later ones are not traced, so that memory stays bounded. */
const MOST_VALUES = 4000;
const SHORTEST = 3;

/**
 * Follows values from a child's results into the arguments of its later calls. It keeps 32-bit hashes, never the text.
 * A value is a whole scalar of at least three characters, or a word inside a longer text that has a digit, `_`, `.`,
 * `:` or `-` in it (an id, a name, a time); whole numbers below 100 and multiples of 100 are left out as chance hits.
 */
export interface ValueTrail {
  /** Values that the child knew without any result: those of its task, the names of the sources. */
  know(given: unknown): void;
  /** A result as the model got it; of our envelope only `data` counts. */
  takeResult(content: string): void;
  /** Whether the arguments hold a value that first appeared in an earlier result; what they hold is known from then on. */
  takeArguments(given: unknown): boolean;
}

export function createValueTrail(): ValueTrail {
  const known = new Set<number>();
  const learned = new Set<number>();
  return {
    know: (given) => eachValue(given, (value) => remember(known, hash(value))),
    takeResult: (content) => {
      if (learned.size >= MOST_VALUES) return;
      eachValue(dataOf(content), (value) => {
        const key = hash(value);
        if (!known.has(key)) remember(learned, key);
      });
    },
    takeArguments: (given) => {
      let holds = false;
      const seen: number[] = [];
      eachValue(given, (value) => {
        const key = hash(value);
        if (learned.has(key)) holds = true;
        else seen.push(key);
      });
      for (const key of seen) remember(known, key);
      return holds;
    },
  };
}

function remember(into: Set<number>, key: number): void {
  if (into.size < MOST_VALUES) into.add(key);
}

function dataOf(content: string): unknown {
  try {
    const parsed: unknown = JSON.parse(content);
    return parsed !== null && typeof parsed === 'object' && 'data' in parsed ? parsed.data : parsed;
  } catch {
    return content;
  }
}

function eachValue(given: unknown, take: (value: string) => void): void {
  if (typeof given === 'number') takeNumber(given, take);
  else if (typeof given === 'string') takeText(given, take);
  else if (given !== null && typeof given === 'object') for (const inner of Object.values(given)) eachValue(inner, take);
}

function takeNumber(given: number, take: (value: string) => void): void {
  if (!Number.isInteger(given) || (Math.abs(given) >= 100 && given % 100 !== 0)) take(String(given));
}

function takeText(given: string, take: (value: string) => void): void {
  const whole = given.trim();
  if (whole.length >= SHORTEST && !/^\d+$/.test(whole)) take(whole.toLowerCase());
  for (const [word] of whole.matchAll(/[\p{L}\p{N}_.:-]+/gu)) {
    const bare = word.replace(/^[.:-]+|[.:-]+$/g, '');
    if (bare === whole && !/^\d+$/.test(bare)) continue;
    if (/^\d+$/.test(bare)) takeNumber(Number(bare), take);
    else if (bare.length >= SHORTEST && /[\d_.:-]/.test(bare)) take(bare.toLowerCase());
  }
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
