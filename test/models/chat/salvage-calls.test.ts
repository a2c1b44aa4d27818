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
  ])('behaviour 46: a call printed as text is found: %s', (_, text, calls) => {
    expect(salvageCalls(text, offered)).toEqual(calls);
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
