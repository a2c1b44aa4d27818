import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { salvageCalls } from '../../../src/models/chat/salvage-calls.ts';

const offered = (name: string): boolean => name === 'step' || name === 'look_up';
const CALL = '{"name": "step", "arguments": {"n": 1}}';
const FOUND = { name: 'step', arguments: { n: 1 } };

describe('salvageCalls', () => {
  it.each([
    ['bare', CALL, [FOUND]],
    ['fenced', `\`\`\`json\n${CALL}\n\`\`\``, [FOUND]],
    ['fenced without a language', `\`\`\`\n${CALL}\n\`\`\``, [FOUND]],
    ['two without a list', `${CALL}\n${CALL}`, [FOUND, FOUND]],
    ['a list', `[${CALL}, ${CALL}]`, [FOUND, FOUND]],
    ['with parameters', '{"name": "step", "parameters": {"n": 1}}', [FOUND]],
    ['with arguments as text', '{"name": "step", "arguments": "{\\"n\\": 1}"}', [FOUND]],
    ['without arguments', '{"name": "look_up"}', [{ name: 'look_up', arguments: {} }]],
    ['tagged', `<tool_call>\n${CALL}\n</tool_call>`, [FOUND]],
    ['tagged twice', `<tool_call>${CALL}</tool_call>\n<tool_call>${CALL}</tool_call>`, [FOUND, FOUND]],
    ['bracketed', `[TOOL_CALLS] [${CALL}]`, [FOUND]],
    ['as a function', `{"type": "function", "function": ${CALL}}`, [FOUND]],
    ['with braces in a text', '{"name": "step", "arguments": {"q": "a } \\" {"}}', [{ name: 'step', arguments: { q: 'a } " {' } }]],
    [
      'with fences and tags in a text',
      '```json\n{"name": "step", "arguments": {"q": "```json\\n{}\\n``` <tools> [TOOL_CALLS]"}}\n```',
      [{ name: 'step', arguments: { q: '```json\n{}\n``` <tools> [TOOL_CALLS]' } }],
    ],
    ['fenced each by itself', `\`\`\`json\n${CALL}\n\`\`\`\n\n\`\`\`json\n${CALL}\n\`\`\``, [FOUND, FOUND]],
  ])('behaviour 46: a call printed as text is found: %s', (_, text, calls) => {
    expect(salvageCalls(text, offered)).toEqual(calls);
  });

  it('behaviour 46: whatever the arguments hold, in whichever form the calls are printed, they come back as they were', () => {
    const odd = fc.constantFrom('```', '```json\n', '<tool_call>', '</tool_call>', '[TOOL_CALLS]', '"}', '\u2028', '\\');
    const text = fc.array(fc.oneof(fc.string(), odd), { maxLength: 4 }).map((parts) => parts.join(''));
    const args = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,6}$/),
      fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 3 })),
      { noNullPrototype: true },
    );
    const calls = fc.array(fc.record({ name: fc.constantFrom('step', 'look_up'), arguments: args }, { noNullPrototype: true }), {
      minLength: 1,
      maxLength: 3,
    });
    const forms: readonly ((texts: readonly string[]) => string)[] = [
      (texts) => texts.join('\n'),
      (texts) => `[${texts.join(', ')}]`,
      (texts) => `\`\`\`json\n${texts.join('\n')}\n\`\`\``,
      (texts) => texts.map((one) => `\`\`\`tool_call\n${one}\n\`\`\``).join('\n\n'),
      (texts) => texts.map((one) => `<tool_call>${one}</tool_call>`).join(';'),
      (texts) => `[TOOL_CALLS][${texts.join(',')}]`,
    ];
    fc.assert(
      fc.property(calls, fc.constantFrom(...forms), fc.nat(2), (given, form, indent) => {
        expect(salvageCalls(form(given.map((one) => JSON.stringify(one, undefined, indent))), offered)).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['prose with an example', `You could call ${CALL} for that.`],
    ['an example and prose after it', `${CALL}\nThat is how one calls it.`],
    ['an unknown tool', '{"name": "drop_table", "arguments": {}}'],
    ['a known and an unknown tool', `${CALL} {"name": "drop_table"}`],
    ['other JSON', '{"status": "ok", "rows": [1, 2]}'],
    ['JSON with a name and more', '{"name": "step", "arguments": {}, "price": 3}'],
    ['a cut call', '{"name": "step", "arguments": {"n": 1'],
    ['numbers', '[1, 2]'],
    ['nothing', ''],
    ['an empty list', '[]'],
  ])('behaviour 47: nothing is made of %s', (_, text) => {
    expect(salvageCalls(text, offered)).toBeUndefined();
  });
});
