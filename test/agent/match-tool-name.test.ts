import { describe, expect, it } from 'vitest';
import { matchToolName } from '../../src/agent/match-tool-name.ts';

const TOOLS = ['list_runs', 'get_run', 'query_sql'];

describe('matchToolName', () => {
  it.each([
    ['get_run', 'get_run'],
    ['Get_Run', 'get_run'],
    ['get-run', 'get_run'],
    ['functions.get_run', 'get_run'],
    ['functions.List-Runs', 'list_runs'],
    ['tools/query_sql', 'query_sql'],
    [' query_sql ', 'query_sql'],
  ])('behaviour 45: %j means %s', (called, name) => {
    expect(matchToolName(called, TOOLS).name).toBe(name);
  });

  it('behaviour 45: an unknown name gets the nearest one, or the list', () => {
    expect(matchToolName('get_runs', TOOLS)).toEqual({
      name: undefined,
      suggestion: 'did you mean "get_run"? The tools are: list_runs, get_run, query_sql',
    });
    expect(matchToolName('fly', TOOLS)).toEqual({ name: undefined, suggestion: 'choose one of: list_runs, get_run, query_sql' });
  });

  it('does not guess between two names that are the same once normalised', () => {
    expect(matchToolName('GET_RUN', ['get_run', 'get-run']).name).toBeUndefined();
    expect(matchToolName('get-run', ['get_run', 'get-run']).name).toBe('get-run');
  });
});
