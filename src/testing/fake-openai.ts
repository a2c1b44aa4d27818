import { type FakeAnswer, type FakeEnd, type FakeMessage, fails, json, says } from './fake-answer.ts';
import { answerEmbeddings, type FakeEmbedding } from './fake-embed.ts';
import { type FakeRequest, type FakeServer, startFakeServer } from './fake-server.ts';

export interface FakeOpenAiOptions {
  /** Answers of `/v1/chat/completions` in the order of the requests; the last one repeats. A function sees the request. */
  readonly chat?: readonly FakeAnswer[] | ((request: FakeRequest, index: number) => FakeAnswer);
  /** Entries of `/v1/models`. */
  readonly models?: readonly Readonly<Record<string, unknown>>[];
  readonly embed?: FakeEmbedding;
  /** The key that requests must bring; none unless set. */
  readonly apiKey?: string;
  /** The field that reasoning comes in. `reasoning_content` unless set. */
  readonly reasoningField?: 'reasoning' | 'reasoning_content';
}

export interface FakeOpenAi extends FakeServer {
  /** The base URL to name as `OPENAI_BASE_URL`. */
  readonly baseUrl: string;
  /** Requests to `/v1/chat/completions`. */
  readonly chats: readonly FakeRequest[];
}

/** A real HTTP server that speaks OpenAI's chat completions as scripted, streamed as server-sent events. */
export async function startFakeOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> {
  const server = await startFakeServer({
    contentType: 'text/event-stream',
    answer: (request, requests) => answerFor(request, requests, options),
    say: (message) => openAiChunk(message, options.reasoningField),
    end: (end) => openAiEnd(end),
  });
  return {
    ...server,
    baseUrl: `${server.host}/v1`,
    get chats() {
      return server.requests.filter(({ path }) => path.endsWith('/chat/completions'));
    },
  };
}

const FRAME = { id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1, model: 'fake' };

/** A piece of an answer as a server-sent event. Tool calls come whole, their arguments as JSON text. */
export function openAiChunk(message: FakeMessage, reasoningField: 'reasoning' | 'reasoning_content' = 'reasoning_content'): string {
  const { thinking, tool_calls: calls, ...delta } = message;
  const toolCalls = calls?.map((call, place) => {
    const { id = '', function: { index = place, name, arguments: input } = {} } = call as {
      id?: string;
      function?: { index?: number; name?: unknown; arguments?: unknown };
    };
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {});
    return { index, id, type: 'function', function: { name, arguments: text } };
  });
  const choice = {
    index: 0,
    delta: { ...delta, ...(thinking ? { [reasoningField]: thinking } : {}), ...(toolCalls ? { tool_calls: toolCalls } : {}) },
  };
  return event({ ...FRAME, choices: [{ ...choice, finish_reason: null }] });
}

/** The end of an answer: what the last message holds, the finish reason, the usage and `[DONE]`. */
export function openAiEnd(end: FakeEnd): string {
  const { message, done_reason: reason, prompt_eval_count: input, eval_count: output, cached_tokens: cached } = end;
  const finish = reason === 'length' ? 'length' : (reason ?? null);
  const usage = {
    ...(input === undefined ? {} : { prompt_tokens: input }),
    ...(output === undefined ? {} : { completion_tokens: output }),
    ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }),
  };
  const told = Object.keys(usage).length > 0 ? event({ ...FRAME, choices: [], usage }) : '';
  const last = message ? openAiChunk(message) : '';
  return `${last}${event({ ...FRAME, choices: [{ index: 0, delta: {}, finish_reason: finish }] })}${told}data: [DONE]\n\n`;
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function answerFor(request: FakeRequest, requests: readonly FakeRequest[], options: FakeOpenAiOptions): FakeAnswer {
  const { chat = [says('hello')], models = [{ id: 'fake', object: 'model' }], embed = {}, apiKey } = options;
  if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
    return fails(401, { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' });
  }
  if (request.path.endsWith('/models')) return json({ object: 'list', data: models });
  if (request.path.endsWith('/embeddings')) return answerEmbeddings(request.body, embed);
  if (!request.path.endsWith('/chat/completions')) return fails(404, { message: 'File Not Found', type: 'not_found_error', code: 404 });
  const complaint = complainOf(request.body);
  if (complaint) return fails(400, { message: complaint, type: 'invalid_request_error', param: null, code: null });
  const index = requests.filter(({ path }) => path === request.path).length - 1;
  return typeof chat === 'function' ? chat(request, index) : (chat[Math.min(index, chat.length - 1)] ?? says('hello'));
}

/** What such a server refuses a history for. */
function complainOf(body: Readonly<Record<string, unknown>>): string | undefined {
  let open: string[] = [];
  for (const message of (body.messages ?? []) as Readonly<Record<string, unknown>>[]) {
    if (message.role === 'tool') {
      if (!open.includes(String(message.tool_call_id)))
        return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'";
      open = open.filter((id) => id !== message.tool_call_id);
      continue;
    }
    if (open.length > 0) return `An assistant message with 'tool_calls' must be followed by tool messages: ${open.join(', ')}`;
    for (const call of (message.tool_calls ?? []) as { id?: string; function?: { arguments?: unknown } }[]) {
      if (typeof call.function?.arguments !== 'string') return 'invalid tool call arguments';
      open.push(String(call.id));
    }
  }
  return undefined;
}
