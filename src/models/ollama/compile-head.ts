import type { ConversationOpening, ToolOffer } from '../../core/model.ts';
import type { RequestShape } from '../chat/dialect.ts';
import { outputTokensFor } from '../chat/output-tokens.ts';
import { sanitiseSchema } from '../chat/sanitise-schema.ts';
import type { ServerLink } from '../chat/server-link.ts';
import { seedFor, temperatureFor } from '../chat/vary-sampling.ts';
import type { OllamaSettings } from './ollama-settings.ts';

/**
 * The front of a chat request up to the opening bracket of its messages, as bytes. The context window is never shrunk or
 * shifted by the server: it answers an error instead, which can be acted on.
 */
export function compileHead(link: ServerLink, opening: ConversationOpening, { withTools, format, variation }: RequestShape): Buffer {
  const tools = withTools && link.traits?.tools !== false ? opening.tools : [];
  if (format && tools.length > 0) throw new RangeError('a request takes tools or a format, not both');
  const { keepAlive = '30m', options = {}, think: wanted } = link.settings as OllamaSettings;
  const windowTokens = link.dialect.windowFor(link, opening);
  const think = link.traits?.thinking === false ? undefined : (variation.think ?? wanted);
  const temperature = temperatureFor(link.settings, variation);
  const seed = seedFor(link.settings, variation);
  const fields = {
    model: link.name,
    stream: true,
    truncate: false,
    shift: false,
    keep_alive: keepAlive,
    ...(think === undefined ? {} : { think }),
    options: {
      ...options,
      num_ctx: windowTokens,
      num_predict: outputTokensFor(link, opening, { variation, windowTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
    },
    ...(format && link.traits?.format !== false ? { format } : {}),
    ...(tools.length > 0 ? { tools: tools.map(wireTool) } : {}),
  };
  return Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"messages":[`);
}

function wireTool({ name, description, parameters }: ToolOffer): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters: sanitiseSchema(parameters) } };
}
