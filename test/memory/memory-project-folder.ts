import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openProjectMemory, type ProjectMemory } from '../../src/app/memory-project.ts';
import type { RunReport } from '../../src/app/run-report.ts';
import { runSession } from '../../src/app/run-session.ts';
import { openWorkspace, type Workspace } from '../../src/app/workspace.ts';
import type { Event } from '../../src/core/event.ts';
import type { ChatModel } from '../../src/core/model.ts';
import { Scope } from '../../src/core/scope.ts';

/** An agent `scout` that may recall and write, with the tools of memory and one, `read_note`, that answers a text. */
const FILES: Readonly<Record<string, string>> = {
  'soloist.yaml': 'name: shop\nsources: {}\n',
  'agents/scout.yaml': `name: scout
description: Looks. Use it in tests.
instructions: Look.
tools: [read_note, record_finding, recall, remember, graph_add, graph_walk, scratchpad, read_skill]
memory: { write: true }
limits: { turns: 30 }
`,
  'tools/read-note.ts': `import { complete, defineTool, z } from 'soloist';
export const readNote = defineTool({
  name: 'read_note',
  description: 'Answers the text that it was given.',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  effect: 'read',
  run: async ({ text }) => complete({ text }),
});
`,
};

export interface Shop {
  readonly folder: string;
  readonly home: string;
  readonly workspace: Workspace;
  readonly memory: ProjectMemory;
  run(
    model: ChatModel,
    question?: string,
    more?: { readonly agent?: string; readonly now?: () => Date },
  ): Promise<{ readonly report: RunReport; readonly events: readonly Event[] }>;
  /** Everything that stands in the files of the database, byte for byte. */
  bytes(): Buffer;
  close(): Promise<void>;
}

const shops: Shop[] = [];

/** A project in a temporary folder, opened with its memory; closed by {@link closeShops}. */
export async function openShop(
  files: Readonly<Record<string, string>> = {},
  folder = mkdtempSync(join(tmpdir(), 'soloist-shop-')),
  environment: Readonly<Record<string, string>> = {},
): Promise<Shop> {
  for (const [path, text] of Object.entries({ ...FILES, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const home = join(folder, 'home');
  const workspace = await openWorkspace({ folder, sourceFlags: [], environment: { SOLOIST_HOME: home, ...environment } });
  const memory = await openProjectMemory(workspace);
  const shop: Shop = {
    folder,
    home,
    workspace,
    memory,
    run: async (model, question = 'why is the total too high?', { agent = 'scout', now } = {}) => {
      const events: Event[] = [];
      const scope = new Scope();
      const report = await runSession({
        workspace,
        agent: workspace.agent(agent),
        question,
        model,
        scope,
        work: new Scope(scope),
        onEvent: (event) => events.push(event),
        ...(now ? { now } : {}),
      });
      return { report, events };
    },
    bytes: () =>
      Buffer.concat(
        readdirSync(home, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.includes('soloist.db'))
          .map((name) => readFileSync(join(home, name))),
      ),
    close: async () => {
      await memory.close();
      await workspace.close();
    },
  };
  shops.push(shop);
  return shop;
}

export async function closeShops(): Promise<void> {
  for (const shop of shops.splice(0)) {
    await shop.close();
    rmSync(shop.folder, { recursive: true, force: true });
  }
}
