import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRecordReader, type DelimitedRecord, type Dialect } from '../../../src/sources/files/read-records.ts';

const COMMA: Dialect = { delimiter: ',', quote: '"', escape: 'doubled', skipBlank: false };

function read(text: string, dialect = COMMA, pieces = text.length + 1): DelimitedRecord[] {
  const records: DelimitedRecord[] = [];
  const reader = createRecordReader(dialect, (record) => records.push(record));
  for (let at = 0; at < text.length; at += pieces) reader.feed(text.slice(at, at + pieces));
  reader.end();
  return records;
}

describe('createRecordReader', () => {
  it('gives back what a writer quoted, wherever the text is cut into pieces', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é', '1') });
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 7 }),
        (rows, pieces) => {
          const text = rows.map((row) => row.map((field) => `"${field.replaceAll('"', '""')}"`).join(',')).join('\r\n');
          expect(read(text, COMMA, pieces).map((record) => record.fields)).toEqual(rows);
        },
      ),
    );
  });

  it('ends records at LF, CR and CR LF alike and counts their lines', () => {
    const records = read('a,1\r\nb,"x\ny"\nc,3\rd,4');
    expect(records.map(({ fields }) => fields)).toEqual([
      ['a', '1'],
      ['b', 'x\ny'],
      ['c', '3'],
      ['d', '4'],
    ]);
    expect(records.map(({ line }) => line)).toEqual([1, 2, 4, 5]);
    expect(records.at(-1)?.terminated).toBe(false);
  });

  it('takes a quote that never closes as a letter, so that it swallows no rows', () => {
    const records = read('a,b\n1,"5 inch\n2,x\n3,y\n');
    expect(records.map(({ fields }) => fields[0])).toEqual(['a', '1', '2', '3']);
    expect(records[1]).toMatchObject({ fields: ['1', '"5 inch'], quoting: 'stray' });
  });

  it('takes quotes that close in the middle of a later field as letters', () => {
    const records = read('"a,b\n1,"x, y"\n2,z\n');
    expect(records.map(({ fields }) => fields)).toEqual([
      ['"a', 'b'],
      ['1', 'x, y'],
      ['2', 'z'],
    ]);
  });

  it('notes a file that ends inside quotes on its last line', () => {
    expect(read('a,b\n1,"x').at(-1)).toMatchObject({ fields: ['1', 'x'], quoting: 'open', terminated: false });
  });

  it('reads backslash escapes and keeps text behind a closing quote', () => {
    const backslash: Dialect = { ...COMMA, escape: 'backslash' };
    expect(read('"say \\"hi\\"",2\n', backslash)[0]?.fields).toEqual(['say "hi"', '2']);
    expect(read('"a"b,2\n')[0]).toMatchObject({ fields: ['ab', '2'], quoting: 'text_after_quote' });
  });
});
