/**
 * What a warning about a table means for who reads its rows: something of the file is in none of them (`unread`), some rows may not be
 * what they seem (`doubtful`), or the reading chose how to read them and says so (`chosen`).
 */
export type RowMeaning = 'unread' | 'doubtful' | 'chosen';

const MEANINGS: Readonly<Record<string, RowMeaning>> = {
  bad_json: 'unread',
  broken_json: 'unread',
  short_rows: 'unread',
  long_rows: 'unread',
  odd_quotes: 'unread',
  cut_last_line: 'unread',
  invalid_bytes: 'unread',
  second_table: 'unread',
  part_of_a_list: 'unread',
  one_object: 'doubtful',
  rows_named_total: 'doubtful',
  last_row_unlike: 'doubtful',
  empty_rows: 'doubtful',
  comment_like_rows: 'doubtful',
  encoding_unsure: 'doubtful',

  kept_as_text: 'doubtful',
  repeated_header: 'chosen',
  footer: 'chosen',
  total_rows: 'chosen',
  records_inside: 'chosen',
  rows_from_lists: 'chosen',
  rows_from_columns: 'chosen',
  misfit_values: 'chosen',
  ambiguous_column: 'chosen',
  short_header: 'chosen',
  null_words: 'chosen',
  formula_texts: 'chosen',
  duplicate_keys: 'chosen',
  numbers_with_signs: 'chosen',
};

/** Undefined for a warning that changes nothing about the rows: a result on a table need not carry it. */
export function rowMeaning(code: string): RowMeaning | undefined {
  return Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
}
