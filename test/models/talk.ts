import type { ChatModel, Conversation, ConversationOpening, Delta, ModelReply } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';
import type { Variation } from '../../src/models/chat/retry-ladder.ts';
import { createOllamaModel } from '../../src/models/ollama/ollama-model.ts';
import type { OllamaSettings } from '../../src/models/ollama/ollama-settings.ts';
import { createOpenAiModel } from '../../src/models/openai/openai-model.ts';
import { type FakeOllamaOptions, startFakeOllama } from '../../src/testing/fake-ollama.ts';
import { type FakeOpenAiOptions, startFakeOpenAi } from '../../src/testing/fake-openai.ts';
import type { FakeRequest, FakeServer } from '../../src/testing/fake-server.ts';

/** Both kinds of servers, for what must be the same with either. */
export const SERVERS = ['ollama', 'openai'] as const;
export type ServerKind = (typeof SERVERS)[number];

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
  readonly fake: FakeServer & { readonly chats: readonly FakeRequest[] };
  readonly model: ChatModel;
  readonly conversation: Conversation;
  readonly deltas: readonly Delta[];
  readonly scope: Scope;
  ask(withTools?: boolean): Promise<ModelReply>;
}

export interface TalkOptions extends FakeOllamaOptions, Pick<FakeOpenAiOptions, 'models' | 'reasoningField' | 'apiKey'> {
  /** Ollama unless set. */
  readonly server?: ServerKind;
  readonly settings?: OllamaSettings & { readonly apiKey?: string };
  readonly opening?: Partial<ConversationOpening>;
  readonly name?: string;
}

const FAST: OllamaSettings = { retryPauseMs: 2 };

/** A model of the server that `fake` is. */
export function modelOf(
  server: ServerKind,
  fake: FakeServer,
  { name = 'fake:8b', settings = {} }: Pick<TalkOptions, 'name' | 'settings'> = {},
): ChatModel {
  const all = { ...FAST, ...settings };
  if (server === 'ollama') return createOllamaModel({ name, host: fake.host, settings: all });
  return createOpenAiModel({ name, baseUrl: fake.host, settings: { parallel: 1, ...all } });
}

export function startFake({
  server = 'ollama',
  ...options
}: TalkOptions): Promise<FakeServer & { readonly chats: readonly FakeRequest[] }> {
  return server === 'ollama' ? startFakeOllama(options) : startFakeOpenAi(options);
}

/** A conversation with a scripted server, given to `work`; the server and the connections are closed after it. */
export async function talk<Result>(options: TalkOptions, work: (talk: Talk) => Promise<Result>): Promise<Result> {
  const fake = await startFake(options);
  const model = modelOf(options.server ?? 'ollama', fake, options);
  const conversation = model.startConversation({ ...OPENING, ...options.opening });
  conversation.append({ role: 'user', content: 'go' });
  const deltas: Delta[] = [];
  const scope = new Scope();
  const ask = (withTools = true): Promise<ModelReply> => conversation.reply({ scope, withTools, onDelta: (delta) => deltas.push(delta) });
  try {
    return await work({ fake, model, conversation, deltas, scope, ask });
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

/** The seed of a request, wherever its protocol puts it. */
export function seedOf({ body }: FakeRequest): unknown {
  return (body.options as Variation | undefined)?.seed ?? body.seed;
}
