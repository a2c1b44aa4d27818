import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iso, lastNight, type Night, type Story, writeExport } from './airflow-export.ts';
import { askInvestigator, claims } from './ask-investigator.ts';

const STORY: Story = { pipeline: 'nightly_ledger', load: 'load_slice', pool: 'lake', slots: 8, tasks: 64, taskSeconds: 90, nights: 9 };

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-story-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function investigate(name: string, story: Story, question = "Why did last night's run take so long?") {
  const nights = writeExport(join(folder, name), story);
  const report = await askInvestigator({ question, sources: [`runs=airflow-export:${join(folder, name)}`] });
  return { nights, report, all: [report.answer, ...report.findings.map((finding) => finding.claim)].join('\n') };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

const length = (night: Night): number => night.end - night.start;
const waited = (night: Night): number => night.tasks.reduce((sum, task) => sum + task.start - task.scheduled, 0);
const worked = (night: Night): number => night.tasks.reduce((sum, task) => sum + task.end - task.start, 0);

/** Last night and the nights before it. */
function split(nights: readonly Night[]): { readonly last: Night; readonly before: readonly Night[] } {
  const last = nights.at(-1);
  if (!last) throw new Error('no nights');
  return { last, before: nights.slice(0, -1) };
}

describe('the investigator without a model', () => {
  it.each([
    { name: 'six of eight', story: { ...STORY, blocker: { pipeline: 'archive_rebuild', slots: 6, startsAt: -600, seconds: 9000 } } },
    {
      name: 'other names and sizes',
      story: {
        ...STORY,
        pipeline: 'hourly-billing',
        load: 'copy_chunk',
        pool: 'pg_writers',
        slots: 12,
        tasks: 150,
        taskSeconds: 40,
        nights: 6,
        blocker: { pipeline: 'reindex', slots: 9, startsAt: -30, seconds: 20_000 },
      },
    },
  ])('names who held the slots, how many of how many, and the figures: $name', async ({ name, story }) => {
    const { nights, report, all } = await investigate(name, story);
    const { last, before } = split(nights);
    const [cause = '', ...more] = claims(report, 'cause');
    expect(more).toEqual([]);
    expect(cause).toContain(`\`${story.blocker.pipeline}\``);
    expect(cause).toContain(`held ${story.blocker.slots} of ${story.slots} slots of pool \`${story.pool}\``);
    expect(cause).toContain(`which left ${story.slots - story.blocker.slots}`);
    expect(cause).toContain(`at most ${story.slots - story.blocker.slots} \`${story.load}\` ran at once, normally ${story.slots}`);
    expect(cause).toContain(iso(lastNight(story) + story.blocker.startsAt).slice(0, 19));
    expect(report.answer).toContain(`${length(last)} s`);
    expect(report.answer).toContain(`${median(before.map(length))} s`);
    expect(report.answer).toContain(`waited ${waited(last)} s in all (median before: ${Math.round(median(before.map(waited)))} s)`);
    expect(report.answer).toContain('working time did not change');
    expect(all).toContain(`worked ${worked(last)} s`);
    expect(claims(report, 'ruled_out').join()).toContain('Slower work');
  });

  it('does not blame a backfill that ran at another time, and says that the tasks themselves got slower', async () => {
    const blocker = { pipeline: 'archive_rebuild', slots: 6, startsAt: 40_000, seconds: 3000 };
    const { nights, report, all } = await investigate('slower work', { ...STORY, slowerBy: 3, blocker });
    const { last, before } = split(nights);
    const loads = (night: Night): number[] => night.tasks.filter((task) => task.map_index >= 0).map((task) => task.end - task.start);
    expect(all).not.toContain('archive_rebuild');
    expect(claims(report, 'cause')).toHaveLength(1);
    expect(claims(report, 'cause')[0]).toMatch(/^The work itself took longer: `load_slice`/);
    expect(claims(report, 'cause')[0]).toContain(
      `median task ${median(loads(last))} s (before: ${median(before.map((night) => median(loads(night))))} s)`,
    );
    expect(claims(report, 'ruled_out').join('\n')).toContain('none overlapped this run');
    expect(claims(report, 'ruled_out').join('\n')).not.toContain('Slower work');
  });

  it('says that there was more to do where the tasks are more, not slower', async () => {
    const { report } = await investigate('more tasks', { ...STORY, tasksLastNight: 200 });
    expect(claims(report, 'cause')[0]).toMatch(/^There was more to do: `load_slice`.*200 tasks instead of 64/);
  });

  it('does not blame a run that held as many slots in the usual night', async () => {
    const story = { ...STORY, slots: 8, blocker: { pipeline: 'always_there', slots: 2, startsAt: -10 - 86_400, seconds: 200_000 } };
    const { report } = await investigate('usual company', { ...story, slowerBy: 3 });
    expect(claims(report, 'cause').join()).not.toContain('always_there');
    expect(claims(report, 'cause')[0]).toContain('load_slice');
  });

  it('says that a night like the others did not take longer', async () => {
    const { nights, report } = await investigate('usual night', STORY);
    expect(report.answer).toContain('it did not take longer than usual');
    expect(report.answer).toContain(`took ${length(split(nights).last)} s`);
    expect(claims(report, 'cause')).toEqual([]);
  });

  it('names the task that failed and sets what followed from it apart', async () => {
    const { report } = await investigate('failed', { ...STORY, failingIndex: 41, retriedIndex: 41 }, 'What failed last night?');
    expect(report.answer).toContain('ended as failed');
    expect(claims(report, 'cause')).toHaveLength(1);
    expect(claims(report, 'cause')[0]).toContain('`load_slice` index 41 (failed');
    expect(claims(report, 'cause')[0]).not.toContain('publish');
    expect(claims(report, 'observation').join('\n')).toMatch(/Only a consequence: `publish` \(upstream_failed/);
    expect(claims(report, 'observation').join('\n')).toContain('`load_slice` index 41 was on try 2');
  });

  it('finds a retried index that lies beyond the first page', async () => {
    const blocker = { pipeline: 'archive_rebuild', slots: 6, startsAt: -600, seconds: 9000 };
    const { report } = await investigate('retry', { ...STORY, blocker, retriedIndex: 57 });
    expect(report.answer).toContain('`load_slice` index 57 was on try 2');
  });

  it('takes the run that the question dates', async () => {
    const { nights, report } = await investigate('dated', { ...STORY, slowerBy: 3 }, 'How long did the run of 2026-05-04 take?');
    const night = nights[2];
    expect(report.answer).toContain(night?.runId);
    expect(report.answer).toContain(`took ${night ? length(night) : ''} s`);
  });

  it('says so when there is nothing to look at', async () => {
    const empty = mkdtempSync(join(folder, 'empty-'));
    const report = await askInvestigator({ question: 'Why was last night slow?', sources: [`runs=airflow-export:${empty}`] });
    expect(report.answer).toMatch(/unknown/i);
    expect(report.answer).not.toMatch(/\d+ s\b/);
    expect(claims(report, 'cause')).toEqual([]);
  });

  it('rests every finding but what was not checked on results of this run, and cites them in the answer', async () => {
    const blocker = { pipeline: 'archive_rebuild', slots: 6, startsAt: -600, seconds: 9000 };
    const { report } = await investigate('evidence', { ...STORY, blocker });
    for (const finding of report.findings) if (finding.kind !== 'not_checked') expect(finding.evidence.length).toBeGreaterThan(0);
    for (const sentence of report.answer.split(/\.\s/).filter((text) => /\d+ s\b/.test(text))) expect(sentence).toMatch(/\[r\d+\]/);
  });
});
