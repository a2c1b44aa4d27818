import { describe, expect, it } from 'vitest';
import { sparkStages } from '../../../tools/spark/spark-stages.ts';
import { tellingLine } from '../../../tools/spark/telling-line.ts';
import { sparkLog } from '../../agents/pipeline-files.ts';
import { callTool, dropFolder, makeFolder } from '../artifacts/call-tool.ts';

describe('the totals of spark_stages', () => {
  it('are of all stages, also of those that are not listed', async () => {
    const stage = (name: string, seconds: number, spill: number) => ({
      name,
      seconds,
      tasks: [2, 2, 2, 5].map((length) => ({ seconds: length, spill })),
    });
    const folder = makeFolder({ 'app-1': sparkLog('sum', [stage('a', 10, 0), stage('b', 30, 100), stage('c', 10, 7)]) });
    try {
      const { data } = await callTool(sparkStages, folder, { limit: 1 });
      expect(data.stages.returned).toBe(1);
      expect(data.totals).toEqual({
        stages: 3,
        task_s_sum: 33,
        spill_memory_bytes: 4 * 4 * 107,
        spill_disk_bytes: 4 * 107,
        stages_with_spill: 2,
        stages_with_skew: 0,
        longest: { stage: 1, attempt: 0, name: 'b', duration_s: 30, share_of_application: 0.6, share_of_task_time: 0.333 },
        most_uneven: { stage: 0, attempt: 0, name: 'a', tasks: 4, median_s: 2, max_s: 5, times: 2.5 },
      });
    } finally {
      dropFolder(folder);
    }
  });
});

describe('the line that tells why something failed', () => {
  it.each([
    ['Container killed\nmore', 'Container killed'],
    ['Traceback (most recent call last):\n  File "a.py", line 3\n    run()\nValueError: bad row 7\n\nat org.X', 'ValueError: bad row 7'],
    [
      'Job aborted: x.PythonException: Traceback (most recent call last):\n  File "a.py"\nException: no such key',
      'Job aborted: x.PythonException: Exception: no such key',
    ],
    ['Traceback (most recent call last):', ''],
  ])('is the first, or the error that a traceback ends in: %j', (text, line) => {
    expect(tellingLine(text)).toBe(line);
  });
});
