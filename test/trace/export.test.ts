import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportTrace } from '../../src/app/trace-export.ts';
import type { OtlpSpan, OtlpTraces } from '../../src/trace/otlp.ts';
import { BOSS, openTraceProject, type TraceProject, WORKER } from './trace-project.ts';

let project: TraceProject;
let session: string;
beforeAll(async () => {
  project = await openTraceProject();
  session = (await project.play(BOSS, WORKER)).session;
});
afterAll(() => project.close());

async function exported(content: boolean, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  let text = '';
  const write = (piece: string): void => {
    text += piece;
  };
  await exportTrace(project.log, session, { format: 'otlp', out: undefined, content, environment, write });
  return text;
}

const spansOf = (text: string): readonly OtlpSpan[] => (JSON.parse(text) as OtlpTraces).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
const attributeOf = (span: OtlpSpan, key: string): unknown => {
  const value = span.attributes.find((one) => one.key === key)?.value;
  return value && Object.values(value)[0];
};

describe('spans of a session', () => {
  it('are one trace of valid ids in which every parent exists and encloses its children', async () => {
    const spans = spansOf(await exported(false));
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    expect(byId.size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
    expect(roots.map(({ name }) => name)).toEqual(['invoke_agent boss']);
    for (const span of spans) {
      expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano));
      if (span.parentSpanId) expect(byId.has(span.parentSpanId)).toBe(true);
    }
  });

  it('follow the conventions for generative AI, children below the call that delegated to them', async () => {
    const spans = spansOf(await exported(false));
    const counted = new Map<string, number>();
    for (const { name } of spans) counted.set(name, (counted.get(name) ?? 0) + 1);
    expect([...counted]).toEqual(
      expect.arrayContaining([
        ['invoke_agent boss', 1],
        ['invoke_agent worker', 2],
        ['chat scripted', 7],
        ['execute_tool count_rows', 3],
        ['execute_tool worker', 1],
      ]),
    );
    const delegation = spans.find(({ name }) => name === 'execute_tool worker');
    for (const span of spans.filter(({ name }) => name === 'invoke_agent worker')) expect(span.parentSpanId).toBe(delegation?.spanId);
    const chat = spans.find(({ name }) => name === 'chat scripted');
    expect(chat?.kind).toBe(3);
    expect(attributeOf(chat as OtlpSpan, 'gen_ai.operation.name')).toBe('chat');
    expect(Number(attributeOf(chat as OtlpSpan, 'gen_ai.usage.input_tokens'))).toBeGreaterThan(0);
    expect(attributeOf(spans[0] as OtlpSpan, 'gen_ai.conversation.id')).toBe(session);
  });

  it('are the same whenever they are exported', async () => {
    expect(await exported(false)).toBe(await exported(false));
  });

  it('hold nothing of what was said and returned unless asked to', async () => {
    const bare = await exported(false);
    for (const text of ['How many rows', 'items', '5678', '1,234']) expect(bare).not.toContain(text);
    const full = await exported(true);
    for (const text of ['items', '5678', '1,234']) expect(full).toContain(text);
  });

  it('mark what failed', async () => {
    const { session: failing } = await project.play([
      { calls: [{ tool: 'count_rows', input: { table: 'nothing' } }] },
      { text: 'I could not.' },
    ]);
    let text = '';
    const write = (piece: string): void => {
      text += piece;
    };
    await exportTrace(project.log, failing, { format: 'otlp', out: undefined, content: false, environment: {}, write });
    const tool = spansOf(text).find(({ name }) => name === 'execute_tool count_rows') as OtlpSpan;
    expect([tool.status.code, attributeOf(tool, 'error.type')]).toEqual([2, 'error']);
  });

  it('go to a file that is named', async () => {
    const out = join(project.folder, 'spans.json');
    const remark = await exportTrace(project.log, session, {
      format: 'otlp',
      out,
      content: false,
      environment: {},
      write: () => undefined,
    });
    expect(remark).toBe(`wrote 14 spans of session ${session} to ${out}`);
    expect(spansOf(readFileSync(out, 'utf8'))).toHaveLength(14);
    const unwritable = {
      format: 'otlp',
      out: join(project.folder, 'no', 'such.json'),
      content: false,
      environment: {},
      write: () => undefined,
    } as const;
    await expect(exportTrace(project.log, session, unwritable)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('ENOENT'),
    });
  });
});

describe('a collector', () => {
  const collect = async (status: number, answer: string, environment: (address: string) => NodeJS.ProcessEnv) => {
    const seen: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (piece) => {
        body += String(piece);
      });
      request.on('end', () => {
        seen.push({ path: request.url, headers: request.headers, body });
        response.writeHead(status, { 'content-type': 'application/json' }).end(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const request = {
        format: 'otlp',
        out: undefined,
        content: false,
        environment: environment(address),
        write: () => undefined,
      } as const;
      return { seen, outcome: await exportTrace(project.log, session, request).catch((error: Error) => error) };
    } finally {
      server.close();
    }
  };

  it('gets one request with the headers that the environment names', async () => {
    const { seen, outcome } = await collect(200, '{}', (address) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${address}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b,other=c',
    }));
    expect(outcome).toMatch(/^sent 14 spans of session .* to 127\.0\.0\.1:\d+\/v1\/traces$/);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ path: '/v1/traces', headers: { 'content-type': 'application/json', 'x-key': 'a b', other: 'c' } });
    expect(spansOf(seen[0]?.body ?? '')).toHaveLength(14);
  });

  it('is told of when it refuses, without the headers and credentials', async () => {
    const { outcome } = await collect(503, 'overloaded', (address) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: address.replace('http://', 'http://user:hunter2@'),
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=s3cret',
    }));
    expect(outcome).toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/^the collector at 127\.0\.0\.1:\d+\/v1\/traces answered 503: overloaded$/),
    });
  });

  it('is told of when it rejects some of the spans', async () => {
    const { outcome } = await collect(200, '{"partialSuccess":{"rejectedSpans":"2"}}', (address) => ({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${address}/x`,
    }));
    expect(outcome).toMatch(/\/x, which rejected 2 of them$/);
  });

  it('that is no address is a mistake of the caller, and one that is not there is named', async () => {
    await expect(exported(false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' })).rejects.toMatchObject({ code: 'usage' });
    await expect(exported(false, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
