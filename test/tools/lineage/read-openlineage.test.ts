import { describe, expect, it } from 'vitest';
import { readOpenLineage } from '../../../tools/lineage/read-openlineage.ts';
import { callOver, type Data } from '../artifacts/call-tool.ts';

function event(type: string, time: string, more: Data = {}): Data {
  return {
    eventType: type,
    eventTime: time,
    producer: 'x',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json',
    run: { runId: 'r-1' },
    job: { namespace: 'etl', name: 'load' },
    ...more,
  };
}

describe('read_openlineage', () => {
  it('puts the events of a run together: state, seconds, rows written, error', async () => {
    const { data, complete } = await callOver(readOpenLineage, {
      'events.jsonl': [
        event('START', '2026-03-01T02:00:00Z', { inputs: [{ namespace: 'db', name: 'raw.orders' }] }),
        event('FAIL', '2026-03-01T03:30:30+01:00', {
          run: { runId: 'r-1', facets: { errorMessage: { message: 'disk full' } } },
          outputs: [{ namespace: 'db', name: 'stg.orders', outputFacets: { outputStatistics: { rowCount: 42, size: 1000 } } }],
        }),
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    });
    expect(complete).toBe(true);
    // 03:30:30+01:00 is 02:30:30 UTC: 1,830 seconds after the start.
    expect(data.runs.items).toEqual([
      {
        job: 'etl/load',
        run_id: 'r-1',
        state: 'failed',
        started_at: '2026-03-01T02:00:00Z',
        ended_at: '2026-03-01T03:30:30+01:00',
        duration_s: 1830,
        inputs: [{ name: 'db/raw.orders' }],
        outputs: [{ name: 'db/stg.orders', rows: '42', bytes: '1000' }],
        error: 'disk full',
      },
    ]);
    expect(data.datasets.items).toContainEqual({ name: 'db/stg.orders', read_by: 0, written_by: 1 });
  });

  it('counts bad events with their place and reason and does not call the result complete', async () => {
    const { data, complete } = await callOver(readOpenLineage, {
      'events.jsonl': [
        JSON.stringify(event('START', '2026-03-01T02:00:00')),
        '{"eventType": "COMPLETE", "eventTi',
        JSON.stringify({ ...event('COMPLETE', '2026-03-01T02:00:00Z'), run: {} }),
      ].join('\n'),
    });
    expect(complete).toBe(false);
    expect(data.bad_events.total).toBe(2);
    expect(data.bad_events.items).toEqual([
      { file: 'events.jsonl', place: 2, why: expect.stringMatching(/^not JSON/) },
      { file: 'events.jsonl', place: 3, why: 'no run id' },
    ]);
    expect(data.times_without_zone).toBe(1);
  });

  it('tells failed assertions of the data and events that are about no run', async () => {
    const assertions = {
      dataQualityAssertions: {
        assertions: [
          { assertion: 'unique', column: 'id', success: false },
          { assertion: 'not_null', success: true },
        ],
      },
    };
    const { data } = await callOver(readOpenLineage, {
      'e.json': [
        event('COMPLETE', '2026-03-01T02:00:00Z', { inputs: [{ namespace: 'db', name: 't', inputFacets: assertions }] }),
        { eventTime: '2026-03-01T02:00:00Z', dataset: { name: 'd' } },
      ],
    });
    expect(data.runs.items[0].failed_assertions).toEqual(['unique(id) on db/t']);
    expect(data.by_type).toEqual({ COMPLETE: 1, DATASET: 1 });
  });

  it('stays below ten thousand characters for 5,000 runs', async () => {
    const events = Array.from({ length: 5000 }, (_, index) =>
      event('FAIL', '2026-03-01T02:00:00Z', {
        run: { runId: `run-${index}`, facets: { errorMessage: { message: 'x'.repeat(2000) } } },
        job: { namespace: 'n'.repeat(100), name: `job_${index}` },
      }),
    );
    const result = await callOver(readOpenLineage, { 'e.json': events }, { limit: 200 });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
    expect(result).toMatchObject({ complete: false, total: 5000 });
  });
});
