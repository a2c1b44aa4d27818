import { type FakeAnswer, type FakeEnd, type FakeMessage, fails, json, says } from './fake-answer.ts';
import { answerEmbed, type FakeEmbedding } from './fake-embed.ts';
import { createRunner, type RunnerOptions } from './fake-runner.ts';
import { type FakeRequest, type FakeServer, startFakeServer } from './fake-server.ts';
import { complainOf } from './ollama-rules.ts';

export interface FakeOllamaOptions extends RunnerOptions {
  /** What `/api/show` says; a function sees the model's name. 404 for `undefined`. */
  readonly show?: Readonly<Record<string, unknown>> | ((model: string) => Readonly<Record<string, unknown>> | undefined);
  readonly tags?: readonly Readonly<Record<string, unknown>>[];
  readonly version?: string;
  /** Answers of `/api/chat` in the order of the requests; the last one repeats. A function sees the request. */
  readonly chat?: readonly FakeAnswer[] | ((request: FakeRequest, index: number) => FakeAnswer);
  readonly embed?: FakeEmbedding;
}

export interface FakeOllama extends FakeServer {
  /** Requests to `/api/chat` that hold messages. */
  readonly chats: readonly FakeRequest[];
  /** How often the model was loaded, where the server simulates that (`window`). */
  readonly loads: () => number;
}

const SHOWN = {
  capabilities: ['completion', 'tools'],
  model_info: { 'general.architecture': 'fake', 'fake.context_length': 32_768 },
  details: { family: 'fake', parameter_size: '8B' },
};

/**
 * A real HTTP server that speaks Ollama's protocol as scripted, and records what it is asked. Requests that the real
 * server refuses are refused with its texts. With `window` it also counts tokens, drops messages, loads and reloads
 * as the real one does.
 */
export async function startFakeOllama(options: FakeOllamaOptions = {}): Promise<FakeOllama> {
  const runner = createRunner(options);
  const server = await startFakeServer({
    contentType: 'application/x-ndjson',
    answer: (request, requests) => answerFor(request, requests, { options, runner }),
    say: (message) => ollamaLine(message),
    end: (end, request) => ollamaEnd({ ...end, ...runner.factsOf(request, end) }),
    over: runner.over,
  });
  return {
    ...server,
    get chats() {
      return server.requests.filter((request) => request.path.endsWith('/api/chat') && (request.body.messages as unknown[])?.length > 0);
    },
    loads: runner.loads,
  };
}

/** A piece of an answer as Ollama writes it, with its newline. */
export function ollamaLine(message: FakeMessage): string {
  const head = { model: 'fake', created_at: '2025-01-01T00:00:00Z' };
  return `${JSON.stringify({ ...head, message: { role: 'assistant', content: '', ...message }, done: false })}\n`;
}

/** The last line of an answer as Ollama writes it, with its newline. */
export function ollamaEnd({ message = {}, ...end }: FakeEnd): string {
  return `${JSON.stringify({ model: 'fake', message: { role: 'assistant', content: '', ...message }, done: true, ...end })}\n`;
}

interface Setting {
  readonly options: FakeOllamaOptions;
  readonly runner: ReturnType<typeof createRunner>;
}

function answerFor(request: FakeRequest, requests: readonly FakeRequest[], { options, runner }: Setting): FakeAnswer | Promise<FakeAnswer> {
  const { show = SHOWN, tags = [], version = '0.33.0', embed = {} } = options;
  const model = String(request.body.model);
  const shown = typeof show === 'function' ? show(model) : show;
  switch (request.path.replace(/^.*(?=\/api\/)/, '')) {
    case '/api/version':
      return json({ version });
    case '/api/tags':
      return json({ models: tags });
    case '/api/ps':
      return json({ models: runner.running() });
    case '/api/show':
      return shown ? json(shown) : fails(404, `model '${model}' not found`);
    case '/api/embed':
      return shown ? answerEmbed(request.body, embed) : fails(404, `model "${model}" not found, try pulling it first`);
    case '/api/chat':
      return answerChat(request, requests, { options, runner, shown });
    default:
      return { status: 404, headers: { 'content-type': 'text/plain' }, steps: [{ raw: '404 page not found' }] };
  }
}

function answerChat(
  request: FakeRequest,
  requests: readonly FakeRequest[],
  { options, runner, shown }: Setting & { readonly shown: Readonly<Record<string, unknown>> | undefined },
): FakeAnswer | Promise<FakeAnswer> {
  const { chat = [says('hello')] } = options;
  const { messages, keep_alive: keepAlive, tools, format } = request.body;
  if (Array.isArray(messages) && messages.length === 0) {
    return json({
      model: 'fake',
      message: { role: 'assistant', content: '' },
      done: true,
      done_reason: keepAlive === 0 ? 'unload' : 'load',
    });
  }
  const complaint = complainOf(request.body, shown?.capabilities);
  if (complaint) return fails(complaint.status, complaint.text);
  const index = requests.filter(({ path, body }) => path === request.path && (body.messages as unknown[])?.length > 0).length - 1;
  const scripted = typeof chat === 'function' ? chat(request, index) : (chat[Math.min(index, chat.length - 1)] ?? says('hello'));
  // A format silences the tools: the answer is JSON, whatever the model would have called.
  const both = Array.isArray(tools) && tools.length > 0 && Boolean(format);
  return runner.run(request, both ? says('{}') : scripted);
}
