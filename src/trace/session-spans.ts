import type { Conclusion } from '../core/conclusion.ts';
import type { Event, EventBody } from '../core/event.ts';
import { type AttributeValue, attributes, nanoseconds, type OtlpSpan, type OtlpTraces } from './otlp.ts';
import { spanId, traceId } from './span-ids.ts';

export interface SpanOptions {
  readonly session: string;
  readonly version: string;
  /** Messages, arguments and results as attributes; left out unless asked for, since they hold the user's data. */
  readonly content: boolean;
}

interface OpenAgent {
  readonly id: string;
  readonly parent: string | undefined;
  name: string;
  model: string;
  startedAt: number | undefined;
  endedAt: number;
  conclusion: Pick<Conclusion, 'status' | 'reason' | 'usage' | 'text'> | undefined;
}

interface Books {
  readonly options: SpanOptions;
  readonly spans: OtlpSpan[];
  /** Every agent, and which of them events under a path belong to by now. */
  readonly agents: OpenAgent[];
  readonly byPath: Map<string, OpenAgent>;
  readonly calls: Map<string, { readonly event: Event; readonly body: Extract<EventBody, { type: 'tool.called' }> }>;
}

/**
 * A session as spans by the semantic conventions for generative AI: `invoke_agent` for each agent, within it `chat` for
 * each reply and `execute_tool` for each call, children below the call that delegated to them.
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/
 */
export function sessionSpans(events: Iterable<Event>, options: SpanOptions): OtlpTraces {
  const main = newAgent('main', undefined);
  const books: Books = { options, spans: [], agents: [main], byPath: new Map([['main', main]]), calls: new Map() };
  for (const event of events) takeEvent(books, event);
  for (const { event, body } of books.calls.values()) addCall(books, { event, body, endedAt: event.at, status: 'unfinished' });
  const spans = [...books.agents.map((agent) => agentSpan(books, agent)), ...books.spans];
  return {
    resourceSpans: [
      {
        resource: { attributes: attributes({ 'service.name': 'soloist', 'service.version': options.version }) },
        scopeSpans: [{ scope: { name: 'soloist', version: options.version }, spans }],
      },
    ],
  };
}

function newAgent(id: string, parent: string | undefined): OpenAgent {
  return { id, parent, name: '', model: '', startedAt: undefined, endedAt: 0, conclusion: undefined };
}

function takeEvent(books: Books, event: Event): void {
  const { body, at } = event;
  const agent = books.byPath.get(event.agent);
  if (!agent) return;
  agent.startedAt ??= at;
  agent.endedAt = Math.max(agent.endedAt, at);
  if (body.type === 'agent.started' || body.type === 'agent.resumed') {
    agent.name = body.agent;
    agent.model = body.model;
  } else if (body.type === 'model.replied' || body.type === 'model.failed') addReply(books, agent, { event, body });
  else if (body.type === 'tool.called') books.calls.set(body.resultId, { event, body });
  else if (body.type === 'tool.finished') finishCall(books, body, at);
  else if (body.type === 'delegation.started') {
    for (const { id, path } of body.children) {
      const child = { ...newAgent(id, `call ${body.resultId}`), name: body.agent };
      books.agents.push(child);
      books.byPath.set(path, child);
    }
  } else if (body.type === 'agent.concluded') agent.conclusion = body.conclusion;
  else if (body.type === 'child.concluded') {
    const child = books.agents.find(({ id }) => id === body.conclusion.id);
    if (child) child.conclusion = body.conclusion;
  }
}

function addReply(
  books: Books,
  agent: OpenAgent,
  { event, body }: { readonly event: Event; readonly body: Extract<EventBody, { type: 'model.replied' | 'model.failed' }> },
): void {
  const { usage } = body;
  const [provider, name] = providerOf(agent.model);
  const failure = body.type === 'model.failed' ? body.failure : undefined;
  books.spans.push(
    span(books, {
      about: `reply ${event.agent} ${event.sequence}`,
      parent: `agent ${agent.id}`,
      name: `chat ${name}`,
      kind: 3,
      from: event.at - usage.totalMs,
      to: event.at,
      error: failure?.message,
      values: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': provider,
        'gen_ai.request.model': name,
        'gen_ai.response.finish_reasons': body.type === 'model.replied' ? [body.finish] : undefined,
        'gen_ai.usage.input_tokens': usage.inputTokens,
        'gen_ai.usage.output_tokens': usage.outputTokens,
        'error.type': failure?.kind,
        'soloist.step': event.step,
        'soloist.usage.estimated': usage.estimated,
        'gen_ai.output.messages':
          books.options.content && body.type === 'model.replied'
            ? JSON.stringify([{ role: 'assistant', content: body.message.content }])
            : undefined,
      },
    }),
  );
}

/** `ollama/qwen3:8b` is model `qwen3:8b` of provider `ollama`. */
function providerOf(model: string): readonly [string, string] {
  const at = model.indexOf('/');
  return at < 0 ? ['soloist', model] : [model.slice(0, at), model.slice(at + 1)];
}

function finishCall(
  books: Books,
  { resultId, status, elapsedMs, content }: Extract<EventBody, { type: 'tool.finished' }>,
  at: number,
): void {
  const begun = books.calls.get(resultId);
  if (!begun) return;
  books.calls.delete(resultId);
  addCall(books, { ...begun, endedAt: Math.min(at, begun.event.at + elapsedMs), status, content });
}

interface EndedCall {
  readonly event: Event;
  readonly body: Extract<EventBody, { type: 'tool.called' }>;
  readonly endedAt: number;
  readonly status: string;
  readonly content?: string;
}

function addCall(books: Books, { event, body, endedAt, status, content }: EndedCall): void {
  const agent = books.byPath.get(event.agent);
  const isFault = status === 'error' || status === 'refused' || status === 'unfinished';
  books.spans.push(
    span(books, {
      about: `call ${body.resultId}`,
      parent: `agent ${agent?.id ?? event.agent}`,
      name: `execute_tool ${body.tool}`,
      kind: 1,
      from: event.at,
      to: endedAt,
      error: isFault ? status : undefined,
      values: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': body.tool,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': body.callId,
        'error.type': isFault ? status : undefined,
        'soloist.result.id': body.resultId,
        'soloist.result.status': status,
        'soloist.step': event.step,
        'gen_ai.tool.call.arguments': books.options.content ? JSON.stringify(body.arguments) : undefined,
        'gen_ai.tool.call.result': books.options.content ? content : undefined,
      },
    }),
  );
}

function agentSpan(books: Books, { id, parent, name, model, startedAt = 0, endedAt, conclusion }: OpenAgent): OtlpSpan {
  const [provider, modelName] = providerOf(model);
  const isFault = conclusion !== undefined && conclusion.status !== 'ok';
  return span(books, {
    about: `agent ${id}`,
    parent,
    name: `invoke_agent ${name}`,
    kind: 1,
    from: startedAt,
    to: Math.max(startedAt, endedAt),
    error: isFault ? (conclusion.reason ?? conclusion.status) : undefined,
    values: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': provider,
      'gen_ai.agent.id': id,
      'gen_ai.agent.name': name,
      'gen_ai.request.model': modelName,
      'gen_ai.conversation.id': books.options.session,
      'gen_ai.usage.input_tokens': conclusion?.usage.inputTokens,
      'gen_ai.usage.output_tokens': conclusion?.usage.outputTokens,
      'error.type': isFault ? conclusion.status : undefined,
      'soloist.status': conclusion?.status ?? 'unfinished',
      'gen_ai.output.messages':
        books.options.content && conclusion ? JSON.stringify([{ role: 'assistant', content: conclusion.text }]) : undefined,
    },
  });
}

interface SpanFacts {
  readonly about: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly kind: OtlpSpan['kind'];
  readonly from: number;
  readonly to: number;
  readonly error: string | undefined;
  readonly values: Readonly<Record<string, AttributeValue | undefined>>;
}

function span({ options: { session } }: Books, { about, parent, name, kind, from, to, error, values }: SpanFacts): OtlpSpan {
  return {
    traceId: traceId(session),
    spanId: spanId(session, about),
    ...(parent === undefined ? {} : { parentSpanId: spanId(session, parent) }),
    name,
    kind,
    startTimeUnixNano: nanoseconds(from),
    endTimeUnixNano: nanoseconds(to),
    attributes: attributes(values),
    status: error === undefined ? { code: 1 } : { code: 2, message: error.slice(0, 300) },
  };
}
