import { z } from 'zod';
import { NOTE_KINDS } from '../core/note.ts';
import { SOURCE_KINDS } from '../core/source.ts';
import { permissionsSchema } from './agent-schema.ts';

export const MODEL_SYNONYMS: Readonly<Record<string, string>> = {
  keepAlive: 'keep_alive',
  contextTokens: 'context_tokens',
  allowRemote: 'allow_remote',
};

const paths = (what: string) =>
  z
    .union([z.string().min(1), z.array(z.string().min(1))])
    .optional()
    .describe(what);
const price = (what: string) => z.number().min(0).describe(what);

const modelSchema = z.strictObject({
  model: z.string().min(1).describe('auto, rules, ollama/<name> or openai/<name>.'),
  temperature: z.number().min(0).max(2).optional().describe('0 is the most repeatable.'),
  seed: z.int().min(0).optional().describe('Fixes the sampling where the server can.'),
  keep_alive: z
    .union([z.string().min(1), z.number()])
    .optional()
    .describe('How long the server keeps the model loaded: 10m, or seconds; -1 for ever.'),
  think: z
    .union([z.boolean(), z.enum(['low', 'medium', 'high'])])
    .optional()
    .describe('Whether, or how hard, the model reasons before it answers.'),
  context_tokens: z.int().min(512).optional().describe("Most tokens of the model's window to use."),
  parallel: z
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('Calls that may run at once on its server; 1 for Ollama, 4 for an OpenAI-compatible server unless set.'),
  price: z
    .strictObject({ input: price('A million tokens in.'), output: price('A million tokens out.') })
    .optional()
    .describe('Price of a million tokens, in any one currency; the cost of a run is then reported.'),
  fallback: paths('Models to go on with, in this order, when this one fails; a run says so when it happens.'),
  allow_remote: z.boolean().optional().describe('Whether a model may be used that runs on another machine than its server; no unless set.'),
});

const sourceSchema = z.strictObject({
  kind: z.enum(SOURCE_KINDS).describe('What it is.'),
  path: paths('File or folder, relative to the project; a list of target folders for dbt.'),
  url: z
    .string()
    .min(1)
    .optional()
    .describe('Base URL of airflow, connection string of postgres; take secrets from the environment with a dollar sign and {NAME}.'),
  token: z.string().min(1).optional().describe('Bearer token of airflow; the environment variable AIRFLOW_TOKEN unless set.'),
});

const least = (what: string) => z.number().positive().max(1_000_000).optional().describe(what);

const auditSchema = z
  .strictObject({
    overlapping_children: least('parallelism: children at work at the same time; 2 unless set.'),
    parallel_speedup: least("parallelism: the children's working time together ÷ time elapsed; 1.5 unless set."),
    isolation_ratio: least('context_isolation: tokens consumed in the children ÷ tokens returned; 5 unless set.'),
    reasoning_steps: least('multi_step_reasoning: steps that take values from earlier results; 2 unless set.'),
    delegations_to_judge: least('Delegations of an agent before audit --all recommends anything; 3 unless set.'),
    share_to_keep: z
      .number()
      .positive()
      .max(1)
      .optional()
      .describe('Share of the times a claim must come true to be kept; 0.5 unless set.'),
  })
  .describe('What the audit of delegations asks for; each is "at least".');

const redactionSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be snake_case')
    .describe('What stands in its place: [redacted:NAME].'),
  pattern: z.string().min(1).describe('A regular expression with bounded repetitions, e.g. CUST-\\d{6,10}.'),
});

/** What `soloist.yaml` may hold. */
export const projectSchema = z
  .strictObject({
    name: z.string().trim().min(1).optional().describe("The project's name; the folder's unless set."),
    models: z
      .record(z.string().min(1), z.union([z.string().min(1), modelSchema]))
      .optional()
      .describe('Models by name: default, critic, embedding and any others; each a model, or a map of settings.'),
    sources: z
      .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/), z.union([z.string().min(1), sourceSchema]))
      .optional()
      .describe('Where data comes from, by name: kind:path, or a map. One folder source named data unless set.'),
    agents: paths('Agent files, or folders of them; ./agents unless set.'),
    tools: paths('Your own tools: .ts, .mts, .js or .mjs files, or folders of them; ./tools unless set.'),
    memory: z
      .strictObject({
        recall: z.boolean().optional().describe('Whether notes of earlier sessions may enter the window.'),
        write: z.boolean().optional().describe('Whether a session may leave notes.'),
        skills: paths('Skills: Markdown files, or folders of them; ./skills unless set.'),
        scope: z.enum(['project', 'agent', 'home']).optional().describe('Who shares the notes.'),
        split: z
          .enum(['fused', 'even'])
          .optional()
          .describe(
            'Notes and log in one list by their score, or at most half of the room for notes and the rest for the log; fused unless set.',
          ),
        synchronous: z
          .enum(['normal', 'full'])
          .optional()
          .describe('full also survives a loss of power, and writes more slowly; normal, unless set, survives a killed process.'),
        redact: z
          .array(redactionSchema)
          .max(40)
          .optional()
          .describe('What is taken out of everything before it is logged, beyond credentials, e-mail addresses and internal hosts.'),
        retention: z
          .partialRecord(z.enum(NOTE_KINDS), z.int().min(1).max(36_500))
          .optional()
          .describe('Days after which notes of a kind are no longer recalled; for ever unless set.'),
      })
      .optional()
      .describe('What is kept between sessions.'),
    permissions: permissionsSchema.optional(),
    webhooks: z
      .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/), z.url({ protocol: /^https?$/ }))
      .optional()
      .describe('Addresses that the tool notify may send to, by name; take them from the environment with a dollar sign and {NAME}.'),
    audit: auditSchema.optional(),
  })
  .describe('A Soloist project.');
