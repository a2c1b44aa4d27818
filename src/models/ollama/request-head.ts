import type { JsonSchema, ToolOffer } from '../../core/model.ts';
import { sanitiseSchema } from '../sanitise-schema.ts';

/** What is the same in every request of a conversation; a retry may differ from it in sampling or reasoning. */
export interface HeadOptions {
  readonly model: string;
  readonly tools: readonly ToolOffer[];
  readonly windowTokens: number;
  readonly outputTokens: number;
  readonly keepAlive: string | number;
  readonly think: boolean | string | undefined;
  readonly temperature: number | undefined;
  readonly seed: number | undefined;
  /** Further sampling options, passed as they are. */
  readonly options: Readonly<Record<string, unknown>>;
  /** A schema that the whole answer must meet; never together with tools, which it would silence. */
  readonly format?: JsonSchema;
}

/**
 * The front of a chat request up to the opening bracket of its messages, as bytes. The context window is never shrunk or
 * shifted by the server: it answers an error instead, which can be acted on.
 */
export function compileHead(head: HeadOptions): Buffer {
  const { model, tools, windowTokens, outputTokens, keepAlive, think, temperature, seed, format } = head;
  if (format && tools.length > 0) throw new RangeError('a request takes tools or a format, not both');
  const fields = {
    model,
    stream: true,
    truncate: false,
    shift: false,
    keep_alive: keepAlive,
    ...(think === undefined ? {} : { think }),
    options: {
      ...head.options,
      num_ctx: windowTokens,
      num_predict: outputTokens,
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
    },
    ...(format ? { format } : {}),
    ...(tools.length > 0 ? { tools: tools.map(wireTool) } : {}),
  };
  return Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"messages":[`);
}

function wireTool({ name, description, parameters }: ToolOffer): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters: sanitiseSchema(parameters) } };
}
