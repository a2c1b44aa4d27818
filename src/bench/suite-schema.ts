import { z } from 'zod';
import { VARIABLES } from './suite-spec.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const named = (what: string) =>
  z.string().regex(NAME, 'must begin with a letter or digit and hold only letters, digits, "-", "_" and "."').describe(what);
const text = (what: string) => z.string().trim().min(1).describe(what);
const texts = (what: string) => z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).describe(what);
const count = (what: string, most = 1_000_000_000) => z.int().min(1).max(most).optional().describe(what);
const positive = (what: string) => z.number().positive().optional().describe(what);

const budgetSchema = z.strictObject({
  turns: count('Model turns, children included.'),
  tokens: count('Tokens in and out of all turns together, children included.'),
  seconds: positive('Seconds from start to conclusion.'),
  tool_calls: count('Tool calls, children included.'),
  context: count("Most tokens of the model's window to use."),
  output: count('Most tokens of one reply.'),
});

const designSchema = z.strictObject({
  agent: text('Name of the agent, or its file relative to the suite.'),
  about: text('What is special about this design.').optional(),
  model: text("The model of this design; the suite's unless set. `rules` is a baseline without a model.").optional(),
  tools: z.array(z.string().min(1)).optional().describe("Tools in place of the agent's own."),
  instructions: text("Instructions in place of the agent's own.").optional(),
  skills: z.array(z.string().min(1)).optional().describe("Skills in place of the agent's own: they stand in its system prompt."),
  appends: text('Text that every task of this design ends with, e.g. the data itself; {{name}} is filled in.').optional(),
  memory: z.boolean().optional().describe('Whether the sessions that the generator answers as `history` are in memory; no unless set.'),
  limits: budgetSchema.optional().describe("Limits in place of the agent's own; the suite's budget goes before them."),
});

export const checkSchema = z.strictObject({
  contains: texts('Texts that all have to stand in the answer.').optional(),
  any_of: texts('Texts one of which has to stand in the answer.').optional(),
  must_not: texts('Texts none of which may stand in the answer; a text within slashes is a pattern.').optional(),
  regex: text('A pattern that the answer has to match.').optional(),
  flags: z.string().optional().describe('Flags of the pattern; `i` unless set.'),
  json: text('Path in the answer read as JSON, e.g. rows[0].total.').optional(),
  equals: z.unknown().optional().describe('What stands at the path.'),
  number: z
    .union([z.number(), text('…')])
    .optional()
    .describe('A figure that has to stand in the answer.'),
  tolerance: z.number().min(0).optional().describe('How far the figure may be off; 0 unless set.'),
  percent: z.number().min(0).optional().describe('How far it may be off, in percent of it.'),
  near: text('Pattern that stands in the same sentence as the figure.').optional(),
  set: texts('Items that the answer has to name, all of them and no other; one text is parted at commas.').optional(),
  pattern: text('Pattern of an item of the set, to find those that the answer names.').optional(),
  grounded: z.literal(true).optional().describe('Every figure of the answer stands in a tool result.'),
  function: text('TypeScript file, relative to the suite, whose `check` answers {passed, detail}.').optional(),
  with: z.record(z.string(), z.unknown()).optional().describe('What the function gets besides the answer.'),
  judge: text('A question about the answer that a model answers with yes; needs `judge` of the suite.').optional(),
  in: z.enum(['answer', 'findings', 'report']).optional().describe('Where to look: the answer unless set; the report is both.'),
  ignore_case: z.boolean().optional().describe('Whether small and capital letters are the same; yes unless set.'),
  label: text('How the check is named in the report.').optional(),
});

const caseSchema = z.strictObject({
  id: named('Name of the case; unique in the suite.'),
  task: text('What the agent is asked. {{name}} is filled in with what the generator answered.'),
  source: texts(
    'Where the data is, as --source takes it, and nothing else; paths are relative to the made data, else to the suite. All sources of the project unless set.',
  ).optional(),
  setup: z
    .strictObject({
      generator: text('TypeScript file, relative to the suite, whose `generate` writes the data of the case from a seed.'),
      with: z.record(z.string(), z.unknown()).optional().describe('What the generator gets besides folder and seed.'),
    })
    .optional()
    .describe('How the data of the case is made.'),
  tags: z.array(named('…')).optional().describe('Kinds of task; a verdict is given for each.'),
  x: z.number().optional().describe("Where the case stands on the suite's axis, e.g. the number of tables."),
  expect: z.array(checkSchema).optional().describe('What the answer has to meet, besides what the suite expects of all.'),
});

/** What a suite file may hold. */
export const suiteSchema = z
  .strictObject({
    name: named('Name of the suite.'),
    about: text('What it tests.'),
    claim: text('The published claim it bears on.').optional(),
    project: text('Folder of the project whose agents and tools are used, relative to the suite.').optional(),
    model: text('auto, rules, ollama/<name>, or a name from soloist.yaml; --model goes before it.').optional(),
    baseline: text('The design that the others are compared with; the first unless set.').optional(),
    varies: z.array(z.enum(VARIABLES)).optional().describe('What the designs differ in on purpose; any other difference stops the suite.'),
    designs: z.record(named('…'), designSchema).describe('The rival designs, by name.'),
    cases: z.array(caseSchema).min(1).describe('The tasks.'),
    expect: z.array(checkSchema).optional().describe('What every answer has to meet.'),
    repeat: count('How often each case is run with each seed; 1 unless set.', 1_000),
    seeds: z
      .array(z.int().min(0))
      .min(1)
      .optional()
      .describe("Seeds of the data, of the model's sampling and of the order; [1] unless set."),
    budget: budgetSchema.optional().describe('Limits of every design.'),
    simulate: z
      .strictObject({
        prompt_tokens_per_second: positive('How fast prompts are read; 800 unless set.'),
        output_tokens_per_second: positive('How fast replies are written; 40 unless set.'),
        slots: count('Replies that the server makes at once; 4 unless set.', 1_000),
        tool_ms: z.number().min(0).optional().describe('What every tool call lasts, in milliseconds; 50 unless set.'),
        tools_at_once: count('Tool calls of a turn that run at once; 8 unless set.', 1_000),
      })
      .optional()
      .describe('The speed that time is simulated from where no model is called.'),
    cache: z
      .enum(['prefix', 'none'])
      .optional()
      .describe('Simulated prompt cache: prefix (a conversation is not read again) unless set. A real server keeps its own.'),
    price: z
      .strictObject({
        input: z.number().min(0).describe('A million tokens in.'),
        output: z.number().min(0).describe('A million tokens out.'),
        cached: z.number().min(0).optional().describe('A million tokens read from the cache; as input unless set.'),
      })
      .optional()
      .describe("Price of a million tokens, in any one currency; the model's own in soloist.yaml goes before it."),
    axis: text('What x of a case counts, e.g. tables.').optional(),
    judge: text('The model that answers the judge checks.').optional(),
  })
  .describe('A Soloist suite: the same tasks through rival designs.');

/** The JSON Schema of a suite file, for editors. */
export function suiteFileSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(suiteSchema, { io: 'input' }), title: 'Soloist suite' };
}
