import type { DelimitedReading } from '../../core/file-reading.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { CountedRows, RowAccount } from './filter-rows.ts';
import { SURPLUS_COLUMN } from './table-plan.ts';

/** All records that are not plain rows, in words. */
export function delimitedWarnings(account: RowAccount, reading: DelimitedReading, width: number): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  const warn = (code: string, message: string): number => warnings.push({ code, message });
  if (reading.preamble_lines > 0) warn('preamble', `${reading.preamble_lines} lines before the table are not data`);
  if (reading.header_records > 1) warn('several_header_lines', `${reading.header_records} header records; names are joined`);
  if (account.footer.length > 0) {
    const [first] = account.footer;
    warn('footer', `${account.footer.length} records at the end are not data, from line ${first?.line}: ${first?.text}`);
  }
  const { totals, named, unlike } = account;
  if (totals.count > 0)
    warn('total_rows', `${totals.count} records among the rows are totals and are not rows (lines ${firstLines(totals)})`);
  if (named.count > 0)
    warn(
      'rows_named_total',
      `${named.count} rows are called a total and are kept as rows: sums may count twice (lines ${firstLines(named)})`,
    );
  if (unlike !== null)
    warn('last_row_unlike', `line ${unlike}: the last row lacks what the rows before it have: a total, perhaps; it is kept as a row`);
  if (account.short > 0)
    warn('short_rows', `${account.short} rows have fewer than ${width} fields (lines ${lines(account)}); what is missing is NULL`);
  if (account.long > 0) {
    const kept =
      account.surplus > 0 ? `; the surplus of ${account.surplus} rows is kept in column ${SURPLUS_COLUMN}` : '; the surplus is blank';
    warn('long_rows', `${account.long} rows have more than ${width} fields (lines ${lines(account)})${kept}`);
  }
  const { hollow, marked } = account;
  if (hollow.count > 0)
    warn('empty_rows', `${hollow.count} rows hold nothing but delimiters (lines ${firstLines(hollow)}); they count as rows of NULL`);
  if (marked.count > 0 && marked.count < account.rows)
    warn(
      'comment_like_rows',
      `${marked.count} rows begin with ${reading.comment} as the comments do, and are kept as rows (lines ${firstLines(marked)})`,
    );
  if (account.strayCount > 0) {
    const shown = account.stray.map((sample) => sample.line).join(', ');
    warn('odd_quotes', `${account.strayCount} rows have quotes that do not close or text behind a closing quote (lines ${shown})`);
  }
  if (account.repeatedHeaders.length > 0) {
    const shown = account.repeatedHeaders.slice(0, 10).join(', ');
    warn('repeated_header', `the header comes again ${account.repeatedHeaders.length} times (lines ${shown}); those lines are not rows`);
  }
  if (account.otherTable)
    warn(
      'second_table',
      `another table of ${account.otherTable.records} records starts at line ${account.otherTable.line}; it is not read`,
    );
  if (account.cut) warn('cut_last_line', `line ${account.cut.line}: ${account.cut.because}; the row is kept`);
  if (account.blank > 0 && width === 1) warn('blank_lines', `${account.blank} blank lines are not counted as rows`);
  if (account.rows === 0) warn('no_rows', reading.header_records > 0 ? 'the file has a header and no rows' : 'the file has no rows');
  return warnings;
}

function lines(account: RowAccount): string {
  const shown = account.raggedLines.slice(0, 10).join(', ');
  return account.short + account.long > 10 ? `${shown}, …` : shown;
}

function firstLines({ count, lines: first }: CountedRows): string {
  return `${first.join(', ')}${count > first.length ? ', …' : ''}`;
}
