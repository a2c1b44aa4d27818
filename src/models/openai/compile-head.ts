import type { ConversationOpening, JsonSchema, ToolOffer } from '../../core/model.ts';
import type { RequestShape } from '../chat/dialect.ts';
import { outputTokensFor } from '../chat/output-tokens.ts';
import { sanitiseSchema } from '../chat/sanitise-schema.ts';
import type { ServerLink } from '../chat/server-link.ts';
import { seedFor, temperatureFor } from '../chat/vary-sampling.ts';
import { isOpenAi } from './resolve-base-url.ts';

/** The front of a chat completion up to the opening bracket of its messages, as bytes. */
export function compileHead(link: ServerLink, opening: ConversationOpening, { withTools, format, variation }: RequestShape): Buffer {
  const { settings, traits = {} } = link;
  const tools = withTools && traits.tools !== false ? opening.tools : [];
  if (format && tools.length > 0) throw new RangeError('a request takes tools or a format, not both');
  const temperature = traits.temperature === false ? undefined : temperatureFor(settings, variation);
  const seed = traits.seed === false ? undefined : seedFor(settings, variation);
  const windowTokens = Math.min(opening.contextTokens, link.windowFor(opening));
  const most = outputTokensFor(link, opening, { variation, windowTokens });
  const fields = {
    model: link.name,
    stream: true,
    ...(traits.stream_options === false ? {} : { stream_options: { include_usage: true } }),
    // OpenAI's newer models refuse the older name, other servers do not know the newer one.
    ...(isOpenAi(link.host) !== (traits.max_tokens === false) ? { max_completion_tokens: most } : { max_tokens: most }),
    ...(traits.thinking === false ? {} : thinkingFields(link, variation.think ?? settings.think)),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...settings.options,
    ...(format && traits.format !== false ? { response_format: responseFormat(format) } : {}),
    ...(tools.length > 0 ? { tools: tools.map(wireTool) } : {}),
  };
  return Buffer.from(`${JSON.stringify(fields).slice(0, -1)},"messages":[`);
}

/** Whether, or how hard, the model reasons: an effort for all, and a switch of the template for local servers. */
function thinkingFields({ host }: ServerLink, think: boolean | string | undefined): Record<string, unknown> {
  if (think === undefined || think === true) return {};
  if (think === false) return { reasoning_effort: 'none', ...(isOpenAi(host) ? {} : { chat_template_kwargs: { enable_thinking: false } }) };
  return { reasoning_effort: think === 'max' ? 'high' : think };
}

function responseFormat(schema: JsonSchema): Record<string, unknown> {
  return { type: 'json_schema', json_schema: { name: 'action', schema } };
}

function wireTool({ name, description, parameters }: ToolOffer): Record<string, unknown> {
  return { type: 'function', function: { name, description, parameters: sanitiseSchema(parameters) } };
}
