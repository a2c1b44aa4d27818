import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { indexWords, searchWords, wantedWords, wantWords } from '../../src/core/search-words.ts';

const AT = Date.UTC(2026, 4, 3);
const SYLLABLES = ['a', 'e', 'i', 'y', 'o', 'ing', 'ed', 's', 'es', 'ies', 'ss', 'ation', 'ly', 'b', 't', 'r', 'st', 'q'];
const word = fc.oneof(
  fc.array(fc.constantFrom(...SYLLABLES), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  fc.constantFrom(
    'retries',
    'retryPolicy',
    'ingest_v2.retry-policy',
    'CSV',
    'Keys',
    'eyed',
    'dying',
    '2026-05-03',
    '3 May',
    'Größe',
    '数据库',
    'a/b',
    'x.',
    '.y',
    'A1b',
    'HTTPServer',
    'yesterday',
  ),
  fc.string({ maxLength: 6 }),
);

describe('the wanted words of a text', () => {
  it('are those that the index would hold, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(word, { maxLength: 8 }), (said, asked) => {
        const text = said.join(' ');
        const wanted = [
          ...new Set([...asked.flatMap(searchWords), ...searchWords(text).slice(0, 3), 'day20260503', 'anyyear0503', 'e', 'a']),
        ];
        const expected = new Set(indexWords(text, AT).filter((one) => wanted.includes(one)));
        expect([...wantedWords(text, AT, wantWords(wanted))].sort()).toEqual([...expected].sort());
      }),
      { numRuns: 2000 },
    );
  });
});
