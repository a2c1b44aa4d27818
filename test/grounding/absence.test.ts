import { describe, expect, it } from 'vitest';
import { groundAnswer } from '../../src/grounding/ground-answer.ts';

const DATA = { failed: [], retried: [], tasks: 5, duplicates: 0, errors: 0, runs: 3, rows: 4, warnings: [] };

function claims(answer: string, complete: boolean): readonly { readonly supported: boolean }[] {
  const content = JSON.stringify({ id: 'r1', complete, data: DATA });
  const results = [{ id: 'r1', tool: 'get_run', arguments: {}, complete, informative: true, content }];
  return groundAnswer({ answer, question: '', results }).absences;
}

const ABSENT = `No failures.
Nothing failed last night.
None of the 123 tasks failed.
There were 0 errors.
We did not find any duplicates.
All tests passed.
The run finished without retries.
The task never ran.
There are zero duplicates.
No task was retried.
No errors were logged.
I found no duplicates in the table.
Not a single task failed.
There is no sign of a retry.
The table is free of duplicates.
No other run failed.
Nothing else changed.
Neither task failed.
No row is missing.
All 123 tasks succeeded.
The table has no duplicates.
It ran without any errors.
Every task ended as success.
Duplicates were not found.
No duplicate rows exist.
The file does not contain any nulls.
There weren't any failures.
Nothing is missing.
No one else held a slot.
The load was never retried.
The task didn't fail.
I see no evidence of duplicates.
Es gab keine Fehler.
Kein Task ist fehlgeschlagen.`.split('\n');

const NOT_ABSENT = `Whether no rows are missing is unknown.
No matter what failed, look at the log.
There is no doubt that the pool was full.
No result says why.
I could not find the log.
The waiting time grew, the working time did not change.
Do not rerun the tasks.
No more than 4 tasks ran at once.
Make sure that no duplicates are written.
Add a key so that no rows are loaded twice.
If no rows arrive, alert.
All tests should pass after the fix.
Without the copies the total is 5.
It took 5 s less.`.split('\n');

describe('a claim that something is not there', () => {
  it.each(ABSENT)('needs a complete result: %s', (answer) => {
    expect(claims(answer, true)).toMatchObject([{ supported: true }]);
    expect(claims(answer, false)).toMatchObject([{ supported: false }]);
  });

  it.each(NOT_ABSENT)('is not read from: %s', (answer) => {
    expect(claims(answer, false)).toEqual([]);
  });
});
