import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { openOpenLineageSource } from '../../../src/sources/openlineage/open-openlineage-source.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'soloist-lineage-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function event(type: string, time: string, runId: string, job: string, facets: object = {}): string {
  return JSON.stringify({ eventType: type, eventTime: time, run: { runId, facets }, job: { namespace: 'shop', name: job } });
}

describe('OpenLineage event files', () => {
  it('makes runs of events in lists, lines and single files, and counts what it cannot read', async () => {
    const parent = { parent: { run: { runId: 'p1' }, job: { namespace: 'shop', name: 'nightly' } } };
    await writeFile(
      join(folder, 'list.json'),
      `[${event('START', '2026-03-01T02:00:00Z', 'p1', 'nightly')}, ${event('FAIL', '2026-03-01T02:10:00Z', 'p1', 'nightly', { errorMessage: { message: 'disk full' } })}]`,
    );
    await writeFile(
      join(folder, 'lines.jsonl'),
      [
        event('COMPLETE', '2026-03-01T03:01:30+01:00', 'c1', 'nightly.load', parent),
        event('START', '2026-03-01T02:00:30', 'c1', 'nightly.load', parent),
        '{"eventTime": "2026-03-01T02:00:30Z", "run": {}, "job": {"name": "x"}}',
        'not json',
      ].join('\n'),
    );
    await writeFile(join(folder, 'one.json'), event('START', '2026-03-02T02:00:00Z', 'r9', 'other'));
    const { runs } = await openOpenLineageSource({ name: 'events', kind: 'openlineage', paths: [folder] }, { scratch: '' });
    const listing = await runs?.listRuns({}, new Scope());
    expect(listing?.runs.map((run) => [run.pipeline, run.run_id, run.state, run.duration_s])).toEqual([
      ['other', 'r9', 'running', null],
      ['nightly.load', 'c1', 'success', 60],
      ['nightly', 'p1', 'failed', 600],
    ]);
    expect(listing?.warnings).toMatchObject([{ code: 'bad_events', message: expect.stringMatching(/^2 events/) }]);
    const nightly = await runs?.getRun('p1', undefined, new Scope());
    expect(nightly?.tries).toMatchObject([{ task_id: 'nightly.load', state: 'success', duration_s: 60 }]);
    expect(nightly?.run.note).toBe('disk full');
  });

  it.each([
    ['a list under a key', 'a.json', (events: string[]) => `{"events": [${events.join(',')}]}`],
    ['an envelope a line', 'a.jsonl', (events: string[]) => events.map((one) => `{"received": 1, "event": ${one}}`).join('\n')],
    ['a text in an envelope', 'a.jsonl', (events: string[]) => events.map((one) => JSON.stringify({ key: 'k', value: one })).join('\n')],
    [
      'the lines of a log',
      'a.log',
      (events: string[]) => ['starting', ...events.map((one) => `10:00 INFO event: ${one}`), 'done'].join('\n'),
    ],
  ])('takes events out of %s', async (_, name, write) => {
    const own = await mkdtemp(join(folder, 'wrapped-'));
    const events = [event('START', '2026-03-01T02:00:00Z', 'r1', 'load'), event('COMPLETE', '2026-03-01T02:01:00Z', 'r1', 'load')];
    await writeFile(join(own, name), write(events));
    const { runs } = await openOpenLineageSource({ name: 'events', kind: 'openlineage', paths: [own] }, { scratch: '' });
    const listing = await runs?.listRuns({}, new Scope());
    expect(listing?.runs.map((run) => [run.pipeline, run.state, run.duration_s])).toEqual([['load', 'success', 60]]);
    expect(listing?.warnings).toEqual([]);
  });
});
