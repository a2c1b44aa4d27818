import { describe, expect, it } from 'vitest';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';

function statuses(answer: string, ...texts: readonly string[]): string[] {
  const content = JSON.stringify({ id: 'r1', complete: true, data: { columns: [{ name: 'text' }], rows: texts.map((text) => [text]) } });
  const results = [{ id: 'r1', tool: 'query_sql', arguments: {}, complete: true, informative: true, content }];
  return groundAnswer({ answer, question: '', results }).figures.map(({ text, status }) => `${text} ${status}`);
}

describe('figures in words that are copied from a text', () => {
  it.each(['2,250', '2.50', '0.50', '12.0', '1,002,250.50', '12'])(
    'are stated where the text has %s there, however it is written',
    (figure) => {
      const text = `One barrel calms ${figure} square metres of the sea.`;
      expect(statuses(text, text)).toEqual([`${figure} stated`]);
      // The same number stands in other texts too.
      expect(statuses(text, text, `The yard sold ${figure} barrels.`, `A day has ${figure} turns.`)).toEqual([`${figure} stated`]);
    },
  );

  it('are unsupported where the text has another number there', () => {
    const text = 'One barrel calms 2,250 square metres of the sea.';
    expect(statuses(text.replace('2,250', '97'), text, 'The yard sold 97 barrels in all.')).toEqual(['97 unsupported']);
  });
});
