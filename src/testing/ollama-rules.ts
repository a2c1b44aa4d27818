/** A refusal as Ollama words it. */
export interface Complaint {
  readonly status: number;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** What Ollama refuses a chat for, by its types and the model's capabilities. */
export function complainOf(body: Fields, capabilities: unknown): Complaint | undefined {
  const { messages, tools, options, think, format, model } = body;
  const text =
    complainOfMessages(Array.isArray(messages) ? (messages as Fields[]) : []) ??
    complainOfTools(Array.isArray(tools) ? (tools as Fields[]) : []);
  if (text) return { status: 400, text };
  if (typeof (options as Fields | undefined)?.stop === 'string') return { status: 500, text: 'option "stop" must be of type array' };
  if (format !== undefined && format !== 'json' && format !== '' && (typeof format !== 'object' || Array.isArray(format)))
    return { status: 500, text: 'invalid format: expected "json" or a JSON schema' };
  if (typeof think === 'string' && !['low', 'medium', 'high', 'max'].includes(think))
    return { status: 400, text: `invalid think value: ${think}` };
  if (!Array.isArray(capabilities)) return undefined;
  if (Array.isArray(tools) && tools.length > 0 && !capabilities.includes('tools'))
    return { status: 400, text: `registry.ollama.ai/library/${String(model)} does not support tools` };
  if (think && !capabilities.includes('thinking')) return { status: 400, text: `"${String(model)}" does not support thinking` };
  return undefined;
}

function complainOfMessages(messages: readonly Fields[]): string | undefined {
  for (const message of messages) {
    if (typeof message.content !== 'string' && message.content !== null && message.content !== undefined)
      return goText(Array.isArray(message.content) ? 'array' : typeof message.content, 'ChatRequest.messages.content', 'string');
    for (const call of (message.tool_calls ?? []) as { function?: Fields }[]) {
      if (typeof call.function?.arguments === 'string') return "Value looks like object, but can't find closing '}' symbol";
    }
  }
  return undefined;
}

function complainOfTools(tools: readonly Fields[]): string | undefined {
  for (const tool of tools) {
    const { parameters } = (tool.function ?? {}) as Fields;
    for (const property of Object.values(((parameters ?? {}) as Fields).properties ?? {})) {
      if (typeof property === 'boolean') return goText('bool', 'ChatRequest.tools.function.parameters.properties', 'api.ToolProperty');
    }
  }
  return undefined;
}

function goText(found: string, field: string, wanted: string): string {
  return `json: cannot unmarshal ${found} into Go struct field ${field} of type ${wanted}`;
}

const KEPT_AT_TOP = ['type', '$defs', 'items', 'required', 'properties'];
const KEPT_OF_PROPERTY = ['anyOf', 'type', 'items', 'description', 'enum', 'properties', 'required'];

/** The schema of a tool as the model of an Ollama server sees it: what its types do not hold is gone. */
export function schemaAsSeen(schema: Fields): Fields {
  const { properties, ...top } = pick(schema, KEPT_AT_TOP);
  const seen = Object.entries((properties ?? {}) as Record<string, Fields>).map(([name, property]) => [name, propertyAsSeen(property)]);
  return { ...top, properties: Object.fromEntries(seen) };
}

function propertyAsSeen(property: Fields): Fields {
  const { properties, ...kept } = pick(property, KEPT_OF_PROPERTY);
  if (properties === undefined) return kept;
  const inner = Object.entries(properties as Record<string, Fields>).map(([name, child]) => [name, propertyAsSeen(child)]);
  return { ...kept, properties: Object.fromEntries(inner) };
}

function pick(fields: Fields, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)));
}
