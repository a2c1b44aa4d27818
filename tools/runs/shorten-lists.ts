import type { ToolWarning } from '../../src/core/tool-result.ts';

const MOST_WARNINGS = 6;
const LONGEST_WARNING = 220;

/** Gathers a result's warnings while its lists are cut to whole items that fit, each cut with its totals. */
export interface ListShortener {
  /** The first items, at most `most`, whose JSON fits into so many characters. */
  shorten<Item>(name: string, items: readonly Item[], room: { readonly characters: number; readonly most?: number }): Item[];
  /** All warnings so far, the first few in full and the rest counted. */
  warnings(): ToolWarning[];
  warn(warnings: readonly ToolWarning[]): void;
  /** Says that something was left out on purpose, which makes the result incomplete. */
  leaveOut(message: string): void;
  /** True once a list was cut. */
  readonly cut: boolean;
}

export function createListShortener(): ListShortener {
  const gathered: ToolWarning[] = [];
  let cut = false;
  return {
    get cut() {
      return cut;
    },
    shorten(name, items, { characters, most = items.length }) {
      let size = 0;
      let count = 0;
      for (const item of items.slice(0, most)) {
        size += JSON.stringify(item).length + 1;
        if (size > characters) break;
        count++;
      }
      if (count < items.length) {
        cut = true;
        gathered.unshift({ code: 'list_shortened', message: `${name}: ${count} of ${items.length} are shown` });
      }
      return items.slice(0, count);
    },
    warn(warnings) {
      gathered.push(...warnings);
    },
    leaveOut(message) {
      cut = true;
      gathered.unshift({ code: 'left_out', message });
    },
    warnings() {
      const shown = gathered.slice(0, MOST_WARNINGS).map(({ code, message }) => ({
        code,
        message: message.length > LONGEST_WARNING ? `${message.slice(0, LONGEST_WARNING)}… (${message.length} characters)` : message,
      }));
      const more = gathered.length - shown.length;
      return more > 0 ? [...shown, { code: 'more_warnings', message: `and ${more} more warnings` }] : shown;
    },
  };
}
