import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MOST_CHARACTERS, openSizeTables, SIZE_CALLS, type SizeTables } from './size-calls.ts';

describe.each([5_000, 100_000])('a result at default settings, %i columns', (columns) => {
  let tables: SizeTables;

  beforeAll(async () => {
    tables = await openSizeTables(columns);
  }, 600_000);
  afterAll(() => tables.close());

  it.each(SIZE_CALLS.map(([tool, input]) => [`${tool.name} ${JSON.stringify(input).slice(0, 60)}`, tool, input] as const))(
    'stays within 2,500 tokens: %s',
    async (_name, tool, input) => {
      const outcome = await tables.call(tool, input);
      expect(outcome.status, JSON.stringify(outcome.warnings).slice(0, 500)).not.toBe('error');
      expect(JSON.stringify(outcome).length).toBeLessThan(MOST_CHARACTERS);
      // What was left out is counted.
      if (outcome.returned !== undefined && outcome.total !== undefined && outcome.returned < outcome.total)
        expect(outcome.complete).toBe(false);
    },
    600_000,
  );
});
