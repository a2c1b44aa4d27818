import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { done, type FakeAnswer, part } from '../../../src/testing/fake-answer.ts';
import { ollamaEnd, ollamaLine } from '../../../src/testing/fake-ollama.ts';
import { openAiChunk, openAiEnd } from '../../../src/testing/fake-openai.ts';
import { OPENING, SERVERS, talk } from '../talk.ts';

const root = join(import.meta.dirname, '../../..');

/** What keeps a process alive or stays listening: timers and sockets, by kind. */
function held(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe.each(SERVERS)('%s under stress', (server) => {
  it('a thousand cancelled requests, one after the other, leave no socket, timer or listener behind', async () => {
    // Cut before the headers, at the first piece, and in the middle, in turn.
    const answers: FakeAnswer[] = [
      { headersAfterMs: 60_000 },
      { steps: [part({ content: 'a' }), { hang: true }] },
      { steps: [part({ content: 'a' }), { waitMs: 2 }, part({ content: 'b' }), { waitMs: 60_000 }, done()] },
    ];
    await talk({ server, chat: (_, index) => answers[index % 3] as FakeAnswer }, async ({ conversation, fake }) => {
      const run = new Scope();
      const warnings: Error[] = [];
      const onWarning = (warning: Error): void => void warnings.push(warning);
      process.on('warning', onWarning);
      const cancel = async (index: number): Promise<void> => {
        const scope = new Scope(run);
        const stop = (): void => scope.stop({ kind: 'interrupted' });
        const reply = conversation.reply({ scope, withTools: true, onDelta: ({ type }) => type === 'text' && stop() });
        if (index % 3 === 0) void fake.until(() => fake.chats.length > index).then(stop);
        expect(await reply).toMatchObject({ ok: false, failure: { kind: 'stopped' } });
        scope.close();
      };
      for (let index = 0; index < 30; index++) await cancel(index);
      await fake.until(() => fake.connections() <= 1);
      const before = held();
      for (let index = 30; index < 1_030; index++) await cancel(index);
      await fake.until(() => fake.chats.every((chat) => chat.closedEarly) && fake.connections() <= 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      const after = held();
      for (const kind of ['Timeout', 'TCPSocketWrap', 'TCPWRAP', 'TCPSERVERWRAP'])
        expect(after[kind] ?? 0, kind).toBeLessThanOrEqual(before[kind] ?? 0);
      expect((run as unknown as { hooks: Set<unknown> }).hooks.size).toBe(0);
      expect(fake.chats).toHaveLength(1_030);
      expect(warnings).toEqual([]);
      process.off('warning', onWarning);
    });
  });

  it('64 streams of 10,000 tokens at once stay below 150 MB', () => {
    const folder = mkdtempSync(join(tmpdir(), 'soloist-streams-'));
    try {
      // The server has a process of its own, so that only the client is measured.
      const lines =
        server === 'ollama' ? [ollamaLine({ content: 'token ' }), ollamaEnd({})] : [openAiChunk({ content: 'token ' }), openAiEnd({})];
      writeFileSync(join(folder, 'server.mjs'), SERVER(lines as [string, string]));
      compileModels(folder);
      writeFileSync(join(folder, 'client.mjs'), CLIENT(server));
      const run = spawnSync(process.execPath, [join(folder, 'client.mjs'), join(folder, 'server.mjs')], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 300_000,
      });
      expect(run.stderr).toBe('');
      const { answers, characters, deltas, megabytes } = JSON.parse(run.stdout) as Record<string, number>;
      expect({ answers, characters }).toEqual({ answers: 64, characters: 64 * 10_000 * 'token '.length });
      expect(deltas).toBeGreaterThan(64);
      expect(megabytes).toBeLessThan(150);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

/** The sources as a run has them: compiled, so that no compiler stands in the memory that is measured. */
function compileModels(folder: string): void {
  const files = ['src/models/ollama/ollama-model.ts', 'src/models/openai/openai-model.ts', 'src/core/scope.ts'].map((file) =>
    join(root, file),
  );
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: root, outDir: join(folder, 'dist'), declaration: false, typeRoots: [join(root, 'node_modules/@types')] },
      files,
      include: [],
    }),
  );
  const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
}

/** Sends 10,000 lines to each request, sixteen a write, as fast as the client takes them. */
const SERVER = ([line, end]: readonly [string, string]): string => `
import { createServer } from 'node:http';
const sixteen = ${JSON.stringify(line)}.repeat(16);
createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    let sent = 0;
    const more = () => {
      while (sent < 625) {
        sent++;
        if (!response.write(sixteen)) return response.once('drain', more);
      }
      response.end(${JSON.stringify(end)});
    };
    more();
  });
}).listen(0, '127.0.0.1', function () { process.send(this.address().port); });
`;

const CLIENT = (server: 'ollama' | 'openai'): string => `
import { fork } from 'node:child_process';
import { createOllamaModel } from './dist/src/models/ollama/ollama-model.js';
import { createOpenAiModel } from './dist/src/models/openai/openai-model.js';
import { Scope } from './dist/src/core/scope.js';
const child = fork(process.argv[2]);
child.once('message', async (port) => {
  const host = 'http://127.0.0.1:' + port;
  const settings = { parallel: 64, inspect: false, detectLoops: false };
  const model = ${server === 'ollama' ? "createOllamaModel({ name: 'm', host, settings })" : "createOpenAiModel({ name: 'm', baseUrl: host, settings })"};
  let peak = 0, deltas = 0;
  const watch = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()); }, 10);
  const replies = await Promise.all(Array.from({ length: 64 }, () => {
    const conversation = model.startConversation(${JSON.stringify({ ...OPENING, tools: [] })});
    conversation.append({ role: 'user', content: 'go' });
    return conversation.reply({ scope: new Scope(), withTools: false, onDelta: () => { deltas++; } });
  }));
  clearInterval(watch);
  peak = Math.max(peak, process.memoryUsage.rss());
  const texts = replies.flatMap((reply) => (reply.ok ? [reply.message.content] : [JSON.stringify(reply.failure)]));
  process.stdout.write(JSON.stringify({ answers: replies.filter((reply) => reply.ok).length, characters: texts.join('').length, deltas, megabytes: peak / 2 ** 20 }));
  await model.close();
  child.kill();
});
`;
