import type { Omission, ToolResult } from '../core/tool-result.ts';

/** The most characters of one tool result in the window: 2,500 tokens at four characters each. */
export const RESULT_CHARACTERS = 10_000;
const LONG_TEXT = 600;

interface Part {
  readonly path: string;
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string | number;
  readonly size: number;
}

/**
 * The result as text for the window. One that is too large loses whole items of its longest lists, then the ends of
 * its longest texts (saying how long they were), and gets a `reference` under which `keep` stored all of it.
 */
export function fitResult(
  result: ToolResult,
  keep: (text: string) => string,
  most: number = RESULT_CHARACTERS,
): { readonly content: string; readonly reference?: string } {
  const whole = JSON.stringify(result);
  if (whole.length <= most) return { content: whole };
  const reference = keep(whole);
  const shrunk = JSON.parse(whole) as Record<string, unknown>;
  const totals = new Map<string, Omission>();
  for (let size = whole.length; size > most - 600; ) {
    const part = largestPart(shrunk.data, 'data');
    if (!part) break;
    shorten(part, totals, size / (most - 600));
    const next = JSON.stringify(shrunk).length + totals.size * 60;
    if (next >= size) break;
    size = next;
  }
  return { content: finish(shrunk, { omitted: [...totals.values()], reference, most }), reference };
}

interface Ending {
  readonly omitted: readonly Omission[];
  readonly reference: string;
  readonly most: number;
}

function finish(shrunk: Record<string, unknown>, { omitted, reference, most }: Ending): string {
  const { data, ...envelope } = shrunk;
  const status = envelope.status === 'ok' ? 'partial' : envelope.status;
  const fitted = { ...envelope, status, complete: false, omitted: omitted.slice(0, 20), reference, data };
  const content = JSON.stringify(fitted);
  if (content.length <= most) return content;
  const message = 'The result is too large to show in part; read it by its reference with read_blob, or ask for less.';
  return JSON.stringify({ ...envelope, status, complete: false, warnings: shortWarnings(envelope.warnings), reference, data: { message } });
}

/** The first warnings, none longer than a few lines: what a result says of itself must fit whatever its data is. */
function shortWarnings(warnings: unknown): unknown[] {
  if (!Array.isArray(warnings)) return [];
  const shown = (warnings as readonly { readonly code: string; readonly message: string }[]).slice(0, 3);
  return shown.map(({ code, message }) => ({ code: code.slice(0, 60), message: message.slice(0, 400) }));
}

/** The list or text whose shortening gains most. */
function largestPart(value: unknown, path: string): Part | undefined {
  let best: Part | undefined;
  const visit = (holder: Record<string, unknown> | unknown[], at: string): number => {
    let total = 2;
    for (const [key, child] of Object.entries(holder)) {
      const place = Array.isArray(holder) ? `${at}[]` : `${at}.${key}`;
      const size =
        typeof child === 'string'
          ? child.length
          : child !== null && typeof child === 'object'
            ? visit(child as Record<string, unknown>, place)
            : 8;
      const canShrink = Array.isArray(child) ? child.length > 1 : typeof child === 'string' && child.length > LONG_TEXT;
      // A list within a list: shorten the inner one first only when it is most of the outer one.
      if (canShrink && size > (best?.size ?? 0) * 0.9) best = { path: place, holder, key: Array.isArray(holder) ? Number(key) : key, size };
      total += size + key.length + 4;
    }
    return total;
  };
  if (value !== null && typeof value === 'object') visit({ [path]: value } as Record<string, unknown>, '');
  return best && { ...best, path: best.path.replace(/^\./, '') };
}

function shorten(part: Part, totals: Map<string, Omission>, excess: number): void {
  const holder = part.holder as Record<string | number, unknown>;
  const value = holder[part.key];
  if (Array.isArray(value)) {
    const kept = Math.max(1, Math.floor(value.length / Math.min(8, Math.max(1.2, excess))));
    const before = totals.get(part.path);
    totals.set(part.path, { path: part.path, total: before?.total ?? value.length, returned: kept });
    holder[part.key] = value.slice(0, kept);
  } else if (typeof value === 'string') {
    holder[part.key] = `${value.slice(0, LONG_TEXT / 2)}… [${value.length} characters in all]`;
  }
}
