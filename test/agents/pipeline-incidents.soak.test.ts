import { afterAll, describe, expect, it } from 'vitest';
import { dropFolder, makeFolder } from '../tools/artifacts/call-tool.ts';
import { askInvestigator, claims } from './ask-investigator.ts';
import { DBT_STORIES } from './dbt-stories.ts';
import { EVENT_STORIES } from './event-stories.ts';
import { MIXED_STORIES } from './mixed-stories.ts';
import { type PipelineStory, STORIES } from './pipeline-stories.ts';
import { RUN_STORIES } from './run-stories.ts';

const folders: string[] = [];

afterAll(() => {
  for (const one of folders) dropFolder(one);
});

function sourcesOf(files: ReturnType<PipelineStory['files']>): string[] {
  return Object.entries(files).map(([spec, content]) => {
    const folder = makeFolder(content);
    folders.push(folder);
    return `${spec}:${folder}`;
  });
}

describe('the investigator without a model, on incidents of pipelines', () => {
  it.each([...STORIES, ...RUN_STORIES, ...DBT_STORIES, ...EVENT_STORIES, ...MIXED_STORIES])(
    'puts the cause first, with its figures: $name',
    async ({ question, files, cause }) => {
      const { answer, status } = await askInvestigator({ question, sources: sourcesOf(files(true)) });
      const [first = ''] = answer.split('\n');
      expect({ first, status }).toEqual({ first: expect.stringMatching(cause), status: 'ok' });
      expect(first).not.toContain('(unsupported)');
    },
  );

  it.each([...STORIES, ...RUN_STORIES, ...DBT_STORIES, ...EVENT_STORIES, ...MIXED_STORIES])(
    'names no cause on a night without it: $name',
    async ({ question, files }) => {
      const report = await askInvestigator({ question, sources: sourcesOf(files(false)) });
      expect(claims(report, 'cause')).toEqual([]);
      expect(report.answer.split('\n')[0]).not.toContain('(unsupported)');
    },
  );
});
