import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import type { Event } from '../../src/core/event.ts';
import { Gate } from '../../src/core/gate.ts';
import type { Message } from '../../src/core/message.ts';
import type { ChatModel } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';
import { type ScriptedTurn, scriptedModel } from '../../src/models/scripted.ts';

/** One agent of a tree: it hands each of its parts to a child; one without parts calls a tool, or fails. */
interface Node {
  readonly fails: boolean;
  readonly parts: readonly Node[];
}

const LEVELS = ['boss', 'first', 'second', 'third'] as const;

function agentFile(level: number): string {
  const below = LEVELS[level + 1];
  const subagents = below
    ? `subagents:\n  - agent: ${below}\n    justification: { buys: [context_isolation], because: Parts are long. }\n    concurrency: 16\n`
    : '';
  return `name: ${LEVELS[level]}\ndescription: Works on a part. Use it in tests.\ninstructions: Work.\ntools: [look]\n${subagents}limits: { depth: 3, turns: 900, tool_calls: 900, tokens: 4000000, context: 64000 }\n`;
}

const LOOK = `import { complete, defineTool, z } from 'soloist';
export const look = defineTool({
  name: 'look', description: 'Looks at a part.', input: z.object({}), output: z.object({ seen: z.boolean() }), effect: 'read',
  run: async () => complete({ seen: true }),
});
`;

let folder: string;
let workspace: Workspace;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'soloist-trees-'));
  const files: Record<string, string> = { 'soloist.yaml': 'name: trees\nsources: {}\n', 'tools/look.ts': LOOK };
  for (const [level, name] of LEVELS.entries()) files[`agents/${name}.yaml`] = agentFile(level);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: join(folder, 'home') } });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Plays every agent of a tree: what is asked of it stands in its task alone. */
function treeModel(): ChatModel {
  return scriptedModel((messages, opening): ScriptedTurn => {
    const node = nodeOf(messages);
    if (node.fails) return { delayMs: 1, failure: { kind: 'server_fault', message: 'the server fell over' } };
    if (messages.some((message) => message.role === 'tool')) return { delayMs: 1, text: 'All was looked at.' };
    const below = LEVELS[LEVELS.indexOf(opening.agent as (typeof LEVELS)[number]) + 1] ?? '';
    if (node.parts.length === 0) return { delayMs: 1, calls: [{ tool: 'look', input: {} }] };
    const tasks = node.parts.map((part) => ({ goal: 'Work on this part.', inputs: { node: part } }));
    return { delayMs: 1, calls: [{ tool: below, input: { why: 'context_isolation', because: 'parts are long', tasks } }] };
  });
}

function nodeOf(messages: readonly Message[]): Node {
  return JSON.parse(/\{"node":.*\}/.exec(messages[0]?.content ?? '')?.[0] ?? '').node as Node;
}

/** The model behind a server that works on `gate.limit` requests at once. */
function limited(model: ChatModel, gate: Gate, seen: { now: number; peak: number }): ChatModel {
  return {
    ...model,
    startConversation: (opening) => {
      const conversation = model.startConversation(opening);
      return {
        ...conversation,
        reply: async (request) => {
          expect(await gate.enter(request.scope)).toBe(true);
          seen.peak = Math.max(seen.peak, ++seen.now);
          try {
            return await conversation.reply(request);
          } finally {
            seen.now--;
            gate.leave();
          }
        },
      };
    },
  };
}

async function runTree(root: Node, limit: number) {
  const seen = { now: 0, peak: 0 };
  const model = limited(treeModel(), new Gate(limit), seen);
  const scope = new Scope();
  const events: Event[] = [];
  const report = await runSession({
    workspace,
    agent: workspace.agent('boss'),
    question: `Work on this.\n\nInputs: ${JSON.stringify({ node: root })}`,
    model,
    scope,
    work: new Scope(scope),
    onEvent: (event) => events.push(event),
  });
  const statuses = events.flatMap(({ body }) => (body.type === 'child.concluded' ? [body.conclusion.status] : [])).sort();
  const logged = [...(await workspace.openLog()).read(report.session)];
  return { report, statuses, peak: seen.peak, left: seen.now, events, logged };
}

/** One whose parts all came to nothing has nothing to rest on. */
function statusOf({ fails, parts }: Node): 'ok' | 'failed' | 'no_evidence' {
  if (fails) return 'failed';
  return parts.length === 0 || parts.some((part) => statusOf(part) === 'ok') ? 'ok' : 'no_evidence';
}

const nodes = (node: Node): readonly Node[] => [node, ...node.parts.flatMap(nodes)];

/** The numbers of each agent's events, in the order in which they stand. */
function sequences(events: readonly Event[]): Map<string, number[]> {
  const byAgent = new Map<string, number[]>();
  for (const { agent, sequence } of events) byAgent.set(agent, [...(byAgent.get(agent) ?? []), sequence]);
  return byAgent;
}

const leaf: fc.Arbitrary<Node> = fc.record({ fails: fc.integer({ max: 7, min: 0 }).map((die) => die === 0), parts: fc.constant([]) });
const above = (part: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.record({ fails: fc.constant(false), parts: fc.array(part, { minLength: 1, maxLength: 5 }) });
const tree = above(fc.oneof(leaf, above(fc.oneof(leaf, above(leaf)))));

describe.each([1, 2, 4])('trees of agents up to three deep on a model with %i slots', (limit) => {
  it('always finish, and use every slot but never more', { timeout: 30_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (root) => {
        const all = nodes(root);
        const { report, statuses, peak, left, events, logged } = await runTree(root, limit);
        const failing = all.filter((node) => node.fails).length;
        expect(report.status).toBe(statusOf(root));
        expect(statuses).toEqual(all.slice(1).map(statusOf).sort());
        expect(report.usage.modelCalls).toBe(2 * all.length - failing);
        expect(peak).toBeLessThanOrEqual(limit);
        // The children of one node ask their model before any of them has its reply.
        if (all.some((node) => node.parts.length >= limit)) expect(peak).toBe(limit);
        expect(left).toBe(0);
        expect(sequences(logged)).toEqual(sequences(events));
        for (const ofAgent of sequences(logged).values()) expect(ofAgent).toEqual(ofAgent.map((_, index) => index));
      }),
      { numRuns: 20 },
    );
  });
});
