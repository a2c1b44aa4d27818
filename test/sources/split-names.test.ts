import { describe, expect, it } from 'vitest';
import { splitQuotedNames } from '../../src/sources/tables/split-names.ts';

const relations = new Map([['dev.customers', '"dev"."customers"']]);

describe('splitQuotedNames', () => {
  it('puts a name that is quoted as a whole part by part', () => {
    expect(splitQuotedNames('SELECT * FROM "dev.customers" JOIN "Dev.Customers" x', relations)).toBe(
      'SELECT * FROM "dev"."customers" JOIN "dev"."customers" x',
    );
  });

  it('leaves texts, comments, unknown names and parts of longer names alone', () => {
    const sql = `SELECT 'FROM "dev.customers"', "dev.other" -- "dev.customers"\n /* "dev.customers" */ FROM a."dev.customers", "dev.customers"."x"`;
    expect(splitQuotedNames(sql, relations)).toBe(sql);
  });
});
