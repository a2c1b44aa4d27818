import { describe, expect, it } from 'vitest';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';

const content = JSON.stringify({ id: 'r1', complete: true, data: { files: { a: 4100.5, b: 2203.25, c: 57 }, total_amount: 12003.75 } });
const results = [{ id: 'r1', tool: 'count_all', arguments: {}, complete: true, informative: true, content }];

function unsupported(answer: string): string[] {
  return groundAnswer({ answer, question: '', results }).figures.flatMap(({ text, status }) => (status === 'unsupported' ? [text] : []));
}

describe('a sum that is written out', () => {
  it('stands where it comes to what is said before it', () => {
    // 4100.5 + 2203.25 + 57 * 100 = 12003.75
    expect(unsupported('The total amount comes to 12003.75 (4100.5 + 2203.25 + 57 * 100) [r1].')).toEqual([]);
  });

  it('is found out where it comes to something else', () => {
    expect(unsupported('The total amount comes to 4100.5 (12003.75 + 2203.25 + 57 * 100) [r1].')).toContain('12003.75');
  });
});

describe('a difference that is told with both its ends', () => {
  const both = JSON.stringify({ id: 'r1', complete: true, data: { before: { elapsed_s: 467.5 }, after: { elapsed_s: 462.2 } } });
  const builds = [{ ...(results[0] as (typeof results)[0]), content: both }];
  const found = (answer: string): number =>
    groundAnswer({ answer, question: '', results: builds }).figures.filter(({ status }) => status === 'unsupported').length;

  it('has to be the one less the other', () => {
    expect(found('The build took 462.2 s, 5.3 s less than the 467.5 s before [r1].')).toBe(0);
    expect(found('The build took 467.5 s, 5.3 s less than the 462.2 s before [r1].')).toBeGreaterThan(0);
  });
});

describe('the sum of a column', () => {
  const rows = {
    columns: [{ name: 'shop' }, { name: 'amount' }],
    rows: [
      { shop: 'a', amount: 4100.5 },
      { shop: 'b', amount: 2203.25 },
    ],
  };
  const waits = {
    tasks: [
      { task: 'a', wait_s: 4100.5 },
      { task: 'b', wait_s: 2203.25 },
    ],
  };
  const found = (answer: string, data: object): (string | undefined)[] => {
    const one = { ...(results[0] as (typeof results)[0]), content: JSON.stringify({ id: 'r1', complete: true, data }) };
    return groundAnswer({ answer, question: '', results: [one] }).figures.map(({ status }) => status);
  };

  it('is in the unit of the column', () => {
    // 4100.5 + 2203.25 = 6303.75
    expect(found('The amount of both comes to 6303.75 in all [r1].', rows)).toEqual(['derived']);
    expect(found('The amount of both comes to 6303.75 s in all [r1].', rows)).toEqual(['unsupported']);
    expect(found('Both tasks waited 6303.75 s in all [r1].', waits)).toEqual(['derived']);
  });
});
