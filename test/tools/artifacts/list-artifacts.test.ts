import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { listArtifacts } from '../../../tools/artifacts/list-artifacts.ts';
import { manifest, runResults } from '../dbt/dbt-files.ts';
import { callOver, type Data } from './call-tool.ts';

describe('list_artifacts', () => {
  it('knows files by what they hold, whatever their names', async () => {
    const { data, complete } = await callOver(listArtifacts, {
      'x/one.json': runResults([]),
      'x/two.txt': manifest([]),
      'packed.json.gz': gzipSync(JSON.stringify(runResults([]))),
      'ge.json': { meta: { expectation_suite_name: 's' }, results: [] },
      'scan.json': { scanStartTimestamp: '2026-03-01', checks: [] },
      log: '{"Event":"SparkListenerLogStart","Spark Version":"3.5.1"}\n',
      'ol.ndjson': '{"eventType":"START","eventTime":"2026-03-01T00:00:00Z","run":{"runId":"a"},"job":{"name":"b"}}\n',
      'orders.json': [{ id: 1, event: 'sale' }],
      'data.csv': 'dbt_schema_version,1\n',
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/config': 'x',
    });
    expect(complete).toBe(true);
    expect(Object.fromEntries(data.files.items.map((one: Data) => [one.path, one.kind]))).toEqual({
      'x/one.json': 'dbt_run_results',
      'x/two.txt': 'dbt_manifest',
      'packed.json.gz': 'dbt_run_results',
      'ge.json': 'great_expectations',
      'scan.json': 'soda_scan',
      log: 'spark_event_log',
      'ol.ndjson': 'openlineage',
      '.git/HEAD': 'git_repository',
    });
    expect(data.kinds.find((one: Data) => one.kind === 'dbt_run_results')).toMatchObject({
      files: 2,
      read_with: ['read_dbt_run', 'compare_dbt_runs', 'read_checks'],
    });
  });

  it('answers that there is nothing', async () => {
    expect(await callOver(listArtifacts, { 'a.csv': 'a,b\n1,2\n' })).toMatchObject({ status: 'no_data', complete: true, total: 0 });
  });

  it('stays below ten thousand characters for 2,000 files', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [`${'folder'.repeat(20)}/${index}/run_results.json`, '{"results": []}']),
    );
    const result = await callOver(listArtifacts, files, { limit: 500 });
    expect(JSON.stringify(result).length).toBeLessThan(10_000);
    expect(result).toMatchObject({ complete: false, total: 2000 });
  });
});
