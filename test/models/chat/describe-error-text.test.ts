import { describe, expect, it } from 'vitest';
import { describeErrorText } from '../../../src/models/chat/describe-error-text.ts';
import { OPENAI_HINTS } from '../../../src/models/openai/openai-hints.ts';

const ADDRESSEE = { model: 'm', host: 'http://h', hints: OPENAI_HINTS };

function described(text: string, status = 400) {
  return describeErrorText(text, status, ADDRESSEE);
}

describe('the words of model servers', () => {
  it.each([
    [
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      { promptTokens: 5_000, windowTokens: 4_096 },
    ],
    [
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 10001 tokens. Please reduce the length of the messages.",
      { promptTokens: 10_001, windowTokens: 8_192 },
    ],
    ['input (152 tokens) is too large to process. increase the physical batch size (current batch size: 128)', { promptTokens: 152 }],
  ])('an overflow: %s', (text, counts) => {
    expect(described(text)).toMatchObject({ kind: 'context_overflow', ...counts });
  });

  it.each([
    ['"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', 'tools'],
    ['tools param requires --jinja flag', 'tools'],
    ['registry.ollama.ai/library/phi:latest does not support tools', 'tools'],
    ["Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.", 'temperature'],
    ["Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", 'max_tokens'],
    ["Unsupported value: 'reasoning_effort' does not support 'none' with this model.", 'thinking'],
    ['Unrecognized request argument supplied: stream_options', 'stream_options'],
    ['JSON schema conversion failed: Unrecognized schema', 'format'],
  ])('what is lacking: %s', (text, lacks) => {
    expect(described(text)).toMatchObject({ kind: 'bad_request', lacks });
  });

  it.each([
    ["messages with role 'tool' must be a response to a preceeding message with 'tool_calls'", 400],
    ["Invalid 'tools': array too long. Expected an array with maximum length 128", 400],
    ['CUDA error: unsupported toolchain', 500],
  ])('nothing is taken for lacking: %s', (text, status) => {
    expect(described(text, status)).not.toHaveProperty('lacks');
  });

  it('a spent quota is not a busy server', () => {
    expect(described('{"message":"You exceeded your current quota","code":"insufficient_quota"}', 429).kind).toBe('not_authorised');
    expect(described('Rate limit reached for requests', 429).kind).toBe('busy');
  });
});
