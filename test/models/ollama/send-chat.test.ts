import { expect, it } from 'vitest';
import { says } from '../../../src/testing/fake-answer.ts';
import type { FakeRequest } from '../../../src/testing/fake-server.ts';
import { talk } from '../talk.ts';

it("sends the history as it is encoded, with the package's headers", async () => {
  await talk({ server: 'ollama', chat: [says('one'), says('two')] }, async ({ ask, conversation, fake }) => {
    await ask();
    conversation.append({ role: 'user', content: 'and now?' });
    expect(await ask()).toMatchObject({ ok: true, message: { content: 'two' } });
    const { headers, body } = fake.chats[1] as FakeRequest;
    expect(headers['user-agent']).toMatch(/^ollama-js\/\d/);
    expect(body).toMatchObject({ stream: true, truncate: false });
    expect((body.messages as { content: string }[]).at(-1)?.content).toBe('and now?');
  });
});
