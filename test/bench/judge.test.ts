import { expect, it } from 'vitest';
import { askJudge } from '../../src/app/bench-judge.ts';
import { Scope } from '../../src/core/scope.ts';
import { scriptedModel } from '../../src/models/scripted.ts';

async function judged(reply: string) {
  const model = scriptedModel([{ text: reply }], { id: 'ollama/judge' });
  const verdict = await askJudge(model, 'Is the cause named?', { text: 'It was the disk.', scope: new Scope() });
  return { verdict, asked: model.requests[0]?.messages[0]?.content };
}

it('takes a yes or no on the first line, with its reason and the model’s name', async () => {
  const { verdict, asked } = await judged('YES\nThe disk is named.');
  expect(verdict).toEqual({ passed: true, detail: 'ollama/judge says yes: The disk is named.' });
  expect(asked).toMatch(/Question: Is the cause named\?[\s\S]*<answer>\nIt was the disk\.\n<\/answer>/);
  expect((await judged('**No.** It only says that something failed.')).verdict).toMatchObject({ passed: false });
});

it('has no verdict when the judge says neither, or cannot be asked', async () => {
  expect((await judged('Perhaps, yes.')).verdict).toBeUndefined();
  const failing = scriptedModel([]);
  expect(await askJudge(failing, 'Is it?', { text: 'x', scope: new Scope() })).toBeUndefined();
});
