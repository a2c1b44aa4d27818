import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { steadyTools, withoutMeasuredTimes } from '../../src/app/bench-steady-model.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete } from '../../src/core/tool-result.ts';

const tool = (name: string, data: object) =>
  defineTool({ name, description: 'Answers.', input: z.object({}), output: z.unknown(), effect: 'read', run: async () => complete(data) });

describe('tools under simulated time', () => {
  it('say that they took no time, and leave all else as it is', async () => {
    const timed = tool('query_timed', { rows: [[1]], elapsed_ms: 1234 });
    const plain = tool('list_plain', { tables: ['elapsed_ms'] });
    const tools = steadyTools(
      new Map([
        [timed.name, timed],
        [plain.name, plain],
      ]),
    );
    const run = async (name: string) => (await tools.get(name)!.run({}, {} as ToolContext)).data;
    expect(await run('query_timed')).toEqual({ rows: [[1]], elapsed_ms: 0 });
    expect(await run('list_plain')).toEqual({ tables: ['elapsed_ms'] });
    expect([...tools.values()].map(({ name, parameters }) => [name, parameters])).toEqual(
      [timed, plain].map(({ name, parameters }) => [name, parameters]),
    );
  });

  it('count the same whatever number of digits a time has', () => {
    expect(withoutMeasuredTimes('{"rows":[],"elapsed_ms":7}')).toBe(withoutMeasuredTimes('{"rows":[],"elapsed_ms":1207.25}'));
  });
});
