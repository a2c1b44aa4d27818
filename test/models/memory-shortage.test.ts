import { describe, expect, it } from 'vitest';
import { fails, part, says } from '../../src/testing/fake-answer.ts';
import type { FakeRequest } from '../../src/testing/fake-server.ts';

import { OPENING, talk, textOf } from './talk.ts';

const SHORT_OF_MEMORY = fails(500, 'model requires more system memory (9.1 GiB) than is available (6.3 GiB)');
const windowsOf = (chats: readonly FakeRequest[]) => chats.map(({ body }) => (body.options as { num_ctx: number }).num_ctx);

describe('a model that does not fit into memory', () => {
  it.each([
    ['system memory', SHORT_OF_MEMORY],
    ['a failed load', fails(500, 'llama-server process has terminated: cudaMalloc failed: out of memory')],
    ['told as a fault of the request', fails(400, 'model requires more system memory (9.1 GiB) than is available (6.3 GiB)')],
    ['a buffer', fails(500, 'llama-server process has terminated: error: unable to allocate CUDA0 buffer')],
    ['Vulkan', fails(500, 'vk::Device::allocateMemory: ErrorOutOfDeviceMemory')],
    ['a line in the stream', { steps: [{ line: { error: 'CUDA error: out of memory' } }] }],
  ])('gets half the window once, which then holds for all conversations (%s)', async (_, answer) => {
    await talk({ chat: [answer, says('one'), says('two'), says('three')] }, async ({ ask, fake, model, conversation, scope }) => {
      const reply = await ask();
      expect(textOf(reply)).toBe('one');
      expect(reply.notices).toMatchObject([
        { code: 'window_lowered', message: expect.stringMatching(/memory.*8192 tokens instead of 16384/) },
      ]);
      expect(conversation.windowTokens?.()).toBe(8_192);
      await ask();
      const other = model.startConversation({ ...OPENING, agent: 'other' });
      other.append({ role: 'user', content: 'go' });
      await other.reply({ scope, withTools: true });
      expect(windowsOf(fake.chats)).toEqual([16_384, 8_192, 8_192, 8_192]);
    });
  });

  it('is told with the numbers when half the window is too much as well', async () => {
    await talk({ chat: [SHORT_OF_MEMORY] }, async ({ ask, fake }) => {
      const reply = await ask();
      expect(reply).toMatchObject({
        ok: false,
        failure: {
          kind: 'server_fault',
          message: expect.stringMatching(/9\.1 GiB.*6\.3 GiB.*the window asked for has 8192 tokens/),
          fix: expect.stringContaining('context_tokens'),
        },
      });
      expect(windowsOf(fake.chats)).toEqual([16_384, 8_192]);
    });
  });

  it('keeps its window once it has answered, since a window is not changed within a run', async () => {
    await talk({ chat: [says('one'), SHORT_OF_MEMORY] }, async ({ ask, fake }) => {
      await ask();
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'server_fault', message: expect.stringContaining('16384 tokens') } });
      expect(windowsOf(fake.chats)).toEqual([16_384, 16_384]);
    });
  });

  it('is not asked for a window that is of no use', async () => {
    const opening = { contextTokens: 4_096 };
    await talk({ chat: [SHORT_OF_MEMORY], opening }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'server_fault' } });
      expect(windowsOf(fake.chats)).toEqual([4_096]);
    });
    await talk({ chat: [SHORT_OF_MEMORY, says('fits')], opening: { contextTokens: 6_000 } }, async ({ ask, fake }) => {
      expect(textOf(await ask())).toBe('fits');
      expect(windowsOf(fake.chats)).toEqual([6_000, 4_096]);
    });
  });

  it('is told at once where a request does not say how large the window is to be', async () => {
    const error = { message: 'CUDA out of memory. Tried to allocate 2.00 GiB', type: 'server_error', code: 500 };
    await talk({ server: 'openai', chat: [fails(500, error)] }, async ({ ask, fake }) => {
      expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'server_fault', message: expect.stringContaining('memory') } });
      expect(fake.chats).toHaveLength(1);
    });
  });

  it('lowers it once for calls that fail at the same time', async () => {
    const answers = (request: FakeRequest) =>
      (request.body.options as { num_ctx: number }).num_ctx > 8_192
        ? { headersAfterMs: 30, status: 500, headers: { 'content-type': 'application/json' }, steps: SHORT_OF_MEMORY.steps ?? [] }
        : says('ok');
    await talk({ chat: answers, settings: { parallel: 3 } }, async ({ model, fake, scope }) => {
      const replies = await Promise.all(
        [1, 2, 3].map((place) => {
          const conversation = model.startConversation({ ...OPENING, agent: `agent${place}` });
          conversation.append({ role: 'user', content: 'go' });
          return conversation.reply({ scope, withTools: true });
        }),
      );
      expect(replies.map(textOf)).toEqual(['ok', 'ok', 'ok']);
      expect(windowsOf(fake.chats)).toEqual([16_384, 16_384, 16_384, 8_192, 8_192, 8_192]);
    });
  });

  it('is not mistaken for one that stumbled in the middle of an answer', async () => {
    const crash = { steps: [part({ content: 'so' }), { line: { error: 'model runner has unexpectedly stopped' } }] };
    await talk({ chat: [crash, says('whole')] }, async ({ ask, fake }) => {
      expect(textOf(await ask())).toBe('whole');
      expect(windowsOf(fake.chats)).toEqual([16_384, 16_384]);
    });
  });
});
