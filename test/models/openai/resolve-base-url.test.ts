import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/core/scope.ts';
import { createOpenAiModel } from '../../../src/models/openai/openai-model.ts';
import { isOpenAi, resolveBaseUrl } from '../../../src/models/openai/resolve-base-url.ts';
import { OPENING } from '../talk.ts';

describe('resolveBaseUrl', () => {
  it.each([
    [undefined, 'https://api.openai.com/v1'],
    [' ', 'https://api.openai.com/v1'],
    ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
    ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/v1'],
    ['http://127.0.0.1:8000/v1/', 'http://127.0.0.1:8000/v1'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['http://0.0.0.0:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['https://box/api/openai/v1', 'https://box/api/openai/v1'],
    ['https://box/v1/chat/completions', 'https://box/v1'],
    ['"http://box:1/v1"', 'http://box:1/v1'],
    ['http://me:secret@box:1', 'http://me:secret@box:1/v1'],
  ])('%j is %s', (given, url) => {
    expect(resolveBaseUrl(given)).toBe(url);
  });

  it.each(['ftp://x', 'http://[half', 'a b'])('%j is refused', (given) => {
    expect(() => resolveBaseUrl(given)).toThrow(/cannot be used/);
  });

  it.each([
    ['https://api.openai.com/v1', true],
    ['https://eu.api.openai.com/v1', true],
    ['https://openai.com.evil.example/v1', false],
    ['https://notopenai.com/v1', false],
    ['http://127.0.0.1:8000/openai.com', false],
    ['https://box/openai/v1', false],
  ])('OpenAI’s own service is known by its host: %s', (url, own) => {
    expect(isOpenAi(url)).toBe(own);
  });

  it('sends nothing to OpenAI without a key', async () => {
    const conversation = createOpenAiModel({ name: 'gpt' }).startConversation(OPENING);
    conversation.append({ role: 'user', content: 'secret' });
    const reply = await conversation.reply({ scope: new Scope(), withTools: true });
    expect(reply).toMatchObject({ ok: false, failure: { kind: 'not_authorised', message: expect.stringContaining('OPENAI_API_KEY') } });
  });
});
