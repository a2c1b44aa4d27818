import { z } from 'zod';
import type { Path } from './yaml-document.ts';

export const AGENT_SYNONYMS: Readonly<Record<string, string>> = { instruction: 'instructions', sub_agents: 'subagents' };

const count = (least: number, most: number) => z.int().min(least).max(most).optional();
const names = (what: string) => z.array(z.string().min(1)).optional().describe(what);
const NAME = /^[a-z][a-z0-9_-]{0,63}$/;

const BUYS = ['multi_step_reasoning', 'parallelism', 'scoped_tools', 'context_isolation'] as const;

const justificationSchema = z
  .strictObject({
    buys: z.array(z.enum(BUYS)).min(1).describe('What the subagent buys; one or more.'),
    because: z.string().trim().min(1).describe('Why that is so here, in one sentence.'),
  })
  .describe('What it buys to run this as a subagent instead of calling the tools directly.');

const subagentSchema = z.strictObject({
  agent: z.string().min(1).describe('Name of the agent to delegate to.'),
  justification: justificationSchema.optional(),
  concurrency: z.int().min(1).max(64).optional().describe('Most tasks of this subagent at once; 4 unless set.'),
});

const limitsSchema = z.strictObject({
  turns: count(1, 10_000).describe('Model turns; 40 unless set.'),
  tokens: count(1, 1_000_000_000).describe('Tokens in and out of all turns together; 400000 unless set.'),
  seconds: z.number().positive().max(604_800).optional().describe('Seconds from start to conclusion; 900 unless set.'),
  tool_calls: count(0, 100_000).describe('Tool calls; 200 unless set.'),
  depth: count(0, 8).describe('How deep subagents may nest; 1 unless set.'),
  context: count(512, 10_000_000).describe("Most tokens of the model's window to use; 16384 unless set."),
  output: count(16, 1_000_000).describe('Most tokens of one reply; 2048 unless set.'),
  parallel: count(1, 64).describe('Tool calls of one turn that may run at once; 8 unless set.'),
});

export const permissionsSchema = z
  .strictObject({
    allow: names('Tools that run without a question.'),
    ask: names('Tools that need a yes at the terminal; without a terminal the answer is no.'),
    deny: names('Tools that never run; looked at first.'),
  })
  .describe('Which tools may run; a trailing * matches any end.');

/** What an agent's YAML file may hold. */
export const agentSchema = z
  .strictObject({
    name: z
      .string()
      .regex(NAME, 'must begin with a lower-case letter and hold only a-z, 0-9, "-" and "_"')
      .describe('Name to run it by; unique in the project.'),
    description: z.string().optional().describe('What it is for, in a sentence; shown in lists and to agents that may delegate to it.'),
    model: z
      .string()
      .min(1)
      .optional()
      .describe("auto, rules, ollama/<name>, openai/<name>, or a name from models of soloist.yaml; the project's default unless set."),
    instructions: z.string().trim().min(1).describe('What the model is told, as the system prompt.'),
    tools: names('Tools it may call; a trailing * matches any end.'),
    load_tools: z
      .strictObject({
        above: count(1, 1_000).describe('More tools than this, and the model loads what it needs by name; 24 unless set.'),
        always: names('Tools that the model always sees in full; a trailing * matches any end. The first eight unless set.'),
      })
      .optional()
      .describe('How many tools are too many to show at once.'),
    subagents: z.array(subagentSchema).optional().describe('Agents it may delegate to.'),
    justification: justificationSchema.optional(),
    limits: limitsSchema.optional().describe('When to stop; on a limit the agent concludes from what it has.'),
    memory: z
      .strictObject({
        recall: z.boolean().optional().describe('Whether notes of earlier sessions may enter the window.'),
        write: z.boolean().optional().describe('Whether a session may leave notes.'),
        scope: z.enum(['project', 'agent']).optional().describe('Who shares the notes.'),
        skills: names('The same as skills beside memory.'),
      })
      .optional()
      .describe("What differs from the project's memory settings."),
    skills: names('Skills (Markdown procedures) it may use, by name.'),
    permissions: permissionsSchema.optional(),
    grounding: z
      .enum(['strict', 'report', 'off'])
      .optional()
      .describe(
        'What is done about figures that no tool result holds: send them back once and mark what remains, tell them, or nothing; report unless set.',
      ),
    reflect: z
      .strictObject({
        model: z.string().min(1).optional().describe("The critic's model; models.critic of the project, else the agent's own, unless set."),
        max: z.int().min(1).max(5).optional().describe('Most rounds; 1 unless set.'),
        when: z.enum(['writes', 'always']).optional().describe('Only after a call with effects, or always; writes unless set.'),
      })
      .optional()
      .describe('A critic reads request, calls and answer, and says done or what is missing.'),
    plan: z.boolean().optional().describe('Whether requests of several steps get a short plan first, kept in the scratchpad.'),
    returns: z.record(z.string(), z.unknown()).optional().describe('JSON Schema that the conclusion must meet.'),
  })
  .describe('A Soloist agent.');

/** Only the model may come from the environment: the rest is text for a model, or names that messages repeat. */
export function isLiteralInAgent(path: Path): boolean {
  return path[0] !== 'model';
}

/** A JSON Schema may say `default: null`. */
export function keepsEmptyInAgent(path: Path): boolean {
  return path[0] === 'returns' && path.length > 1;
}
