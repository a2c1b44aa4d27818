import { Scope } from '../../src/core/scope.ts';
import { indexVectors } from '../../src/memory/index-vectors.ts';
import { openEventLog } from '../../src/store/open-event-log.ts';
import { openMemory } from '../../src/store/open-memory.ts';
import { hashedEmbeddingModel } from '../support/hashed-embedding-model.ts';

/**
 * Another process on one memory. `count FOLDER NAME MILLISECONDS`: raises the numbers that notes hold, by compare-and-swap, appends each success to
 * the log, and prints how many there were. `embed FOLDER`: gives every note a vector, some milliseconds a batch, and prints how far it is after each, and in the end how many it made.
 */
const [verb = '', folder = '', name = '', milliseconds = '1000'] = process.argv.slice(2);
const memory = await openMemory({ folder, tenant: 'local', busyTimeoutMs: 20_000 });
if (verb === 'count') await count();
else await embed();
memory.close();

async function count(): Promise<void> {
  const log = await openEventLog({ folder, tenant: 'local', busyTimeoutMs: 20_000 });
  const { notes } = memory;
  let [raised, lost] = [0, 0];
  for (const until = Date.now() + Number(milliseconds); Date.now() < until; ) {
    const key = `counter.k${Math.floor(Math.random() * 12)}`;
    const expectedVersion = notes.version(key);
    const [current] = notes.current(key);
    const place = { session: `s-${name}`, agent: 'main', step: raised, sequence: raised };
    const written = notes.write({
      ...{ key, kind: 'fact', agent: name, at: Date.now(), provenance: [place], judged: true, expectedVersion },
      text: String(Number(current?.text ?? 0) + 1),
      verdict: expectedVersion === 0 ? 'new' : 'update',
    });
    if (!written.ok) {
      lost++;
      continue;
    }
    log.append([{ ...place, round: 1, at: Date.now(), body: { type: 'user.said', why: 'follow_up', content: `${key} is raised` } }]);
    raised++;
    if (raised % 20 === 0) memory.indexer.fill(200);
  }
  process.stdout.write(`${raised} ${lost}\n`);
  log.close();
}

async function embed(): Promise<void> {
  const model = hashedEmbeddingModel({ dimensions: 64 });
  const slow: typeof model = {
    ...model,
    embed: async (texts, purpose, scope) => {
      await new Promise((resolve) => setTimeout(resolve, 8));
      return model.embed(texts, purpose, scope);
    },
  };
  const onProgress = ({ done }: { done: number }): void => {
    process.stdout.write(`${done}\n`);
  };
  const built = await indexVectors({ memory, embedding: slow, scope: new Scope(), now: Date.now(), onProgress });
  process.stdout.write(`embedded ${built.ok ? built.embedded : built.failure.message}\n`);
}
