import { afterEach, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { undressNumber } from '../../../src/sources/files/undress-number.ts';
import { openTestFiles, type TestFiles } from './write-files.ts';

let files: TestFiles | undefined;

afterEach(async () => {
  await files?.close();
  files = undefined;
});

async function column(cells: readonly string[]) {
  files = await openTestFiles({ 'a.csv': `id;v\n${cells.map((cell, at) => `${at};${cell}\n`).join('')}` });
  const reading = await files.source.readings?.sniff('a.csv', new Scope());
  return { column: reading?.columns[1], codes: reading?.warnings.map(({ code }) => code) };
}

describe('numbers with more than digits', () => {
  it.each([
    ['a currency in front', ['$1,234.50', '$2.00', '-$0.25', ''], 'decimal(6,2)', '1236.25'],
    ['a currency behind, with a decimal comma', ['1.234,50 €', '2,00 €', '-0,25 €'], 'decimal(6,2)', '1236.25'],
    ['the letters of a currency', ['USD 10', 'USD 5', 'USD -1'], 'integer', '14'],
    ['percent', ['12.5%', '0.5%', '7 %'], 'decimal(3,1)', '20.0'],
    ['parentheses for below zero', ['(1,234.50)', '2.00', '0.25'], 'decimal(6,2)', '-1232.25'],
    ['a sign behind', ['15.00-', '2.00', '1.00'], 'decimal(4,2)', '-12.00'],
    ['a long sign', ['−15', '2', '1'], 'integer', '-12'],
    ['a currency before parentheses, and a dash for zero', ['$ (1,000.00)', '$ 250.00', '$ -'], 'decimal(6,2)', '-750.00'],
    ['a currency inside parentheses', ['($5)', '$2'], 'integer', '-3'],
  ])('are numbers with %s, and the reading says what it left out', async (_, cells, type, sum) => {
    const { column: found, codes } = await column(cells);
    expect(found?.type).toBe(type);
    expect(codes).toContain('numbers_with_signs');
    expect(await files?.rows('SELECT CAST(sum(v) AS VARCHAR) FROM a')).toEqual([[sum]]);
  });

  it.each([
    ['several currencies', ['$5', '€5', '$6']],
    ['percentages among plain numbers', ['5%', '0.05', '6%']],
    ['nothing but numbers in parentheses', ['(1)', '(2)', '(3)']],
  ])('stay text with %s', async (_, cells) => {
    expect((await column(cells)).column?.type).toBe('text');
  });

  it.each(['5-6', '1-', '+5', '5', 'A5', '$', '$5 $', '(5', '-5-', '10 m', '555-0100', '12:30-', '1.2.3.4$x'])(
    '%s is judged as it stands',
    (text) => {
      const expected = text === '1-' ? { plain: '-1', unit: '', negative: 'sign_behind' } : undefined;
      expect(undressNumber(text)).toEqual(expected);
    },
  );
});
