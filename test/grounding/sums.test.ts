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
