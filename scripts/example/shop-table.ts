export type ShopValue = string | number | null;

/** One table with its rows; text stands for dates, times and decimals. */
export interface TableRows {
  readonly name: string;
  /** The columns as they stand in CREATE TABLE. */
  readonly columns: string;
  readonly rows: readonly (readonly ShopValue[])[];
}
