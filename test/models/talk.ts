import type { Conversation, ConversationOpening, Delta, ModelReply } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';
import { createOllamaModel } from '../../src/models/ollama/ollama-model.ts';
import type { OllamaSettings } from '../../src/models/ollama/ollama-settings.ts';
import { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from '../support/fake-ollama.ts';

export const STEP_TOOL = {
  name: 'step',
  description: 'Does a step.',
  parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
};

export const OPENING: ConversationOpening = {
  agent: 'tester',
  system: 'Be brief.',
  tools: [STEP_TOOL, { ...STEP_TOOL, name: 'look_up' }],
  task: { goal: 'go' },
  sources: [],
  maxOutputTokens: 512,
  contextTokens: 16_384,
};

export interface Talk {
  readonly fake: FakeOllama;
  readonly conversation: Conversation;
  readonly deltas: readonly Delta[];
  readonly scope: Scope;
  ask(withTools?: boolean): Promise<ModelReply>;
}

export interface TalkOptions extends FakeOllamaOptions {
  readonly settings?: OllamaSettings;
  readonly opening?: Partial<ConversationOpening>;
  readonly name?: string;
}

const FAST: OllamaSettings = { retryPauseMs: 2 };

/** A conversation with a scripted server, given to `work`; the server and the connections are closed after it. */
export async function talk<Result>(options: TalkOptions, work: (talk: Talk) => Promise<Result>): Promise<Result> {
  const fake = await startFakeOllama(options);
  const model = createOllamaModel({ name: options.name ?? 'fake:8b', host: fake.host, settings: { ...FAST, ...options.settings } });
  const conversation = model.startConversation({ ...OPENING, ...options.opening });
  conversation.append({ role: 'user', content: 'go' });
  const deltas: Delta[] = [];
  const scope = new Scope();
  const ask = (withTools = true): Promise<ModelReply> => conversation.reply({ scope, withTools, onDelta: (delta) => deltas.push(delta) });
  try {
    return await work({ fake, conversation, deltas, scope, ask });
  } finally {
    scope.stop({ kind: 'cancelled', because: 'the test is over' });
    await model.close();
    await fake.close();
  }
}

/** The reply of one request. */
export function replyTo(options: TalkOptions): Promise<ModelReply> {
  return talk(options, ({ ask }) => ask());
}

export function textOf(reply: ModelReply): string {
  if (!reply.ok) throw new Error(`the reply failed: ${reply.failure.kind}: ${reply.failure.message}`);
  return reply.message.content;
}
