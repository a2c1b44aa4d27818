import { describe, expect, it } from 'vitest';
import { markUnsupported } from '../../src/app/ground-review.ts';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';

const marked = (answer: string): string => markUnsupported(answer, groundAnswer({ answer, question: '', results: [] }));

describe('the mark behind an unsupported figure', () => {
  it('stands behind the code span or the bold text that the figure is in', () => {
    expect(marked('It has 7310 rows, `9120 kB` and **4711**.')).toBe(
      'It has 7310 (unsupported) rows, `9120 kB` (unsupported) and **4711** (unsupported).',
    );
  });

  it('stands there once, however often the text is checked', () => {
    const once = marked('It has 7310 rows, `9120 kB` and **4711**.');
    expect(marked(once)).toBe(once);
  });
});
