/**
 * Records a session as a fixture of the grounding tests: `npx tsx scripts/record-grounding.ts SESSION NAME [FOLDER]`, for the
 * log of the current folder (or of SOLOIST_HOME). Writes `NAME.jsonl`, the question and the results as the check of the answer
 * saw them, and `NAME.rules.md`, the answer of the rules, to FOLDER (`test/grounding/prose` unless given). `NAME.md`, answers in free
 * prose, each right by its results, is written by hand.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepResults } from '../src/app/ground-results.ts';
import { withTraceLog } from '../src/app/trace-log.ts';

const [session, name, folder = join(import.meta.dirname, '../test/grounding/prose')] = process.argv.slice(2);
if (session === undefined || name === undefined) {
  process.stderr.write('usage: npx tsx scripts/record-grounding.ts SESSION NAME [FOLDER]\n');
  process.exit(2);
}

await withTraceLog({ folder: process.cwd(), environment: process.env }, (log) => {
  const results = keepResults(log);
  let question = '';
  let answer = '';
  for (const event of log.read(log.findSession(session).session)) {
    results.take(event);
    const { body, agent } = event;
    if (body.type === 'session.opened') question = body.question;
    else if (body.type === 'agent.concluded' && agent === 'main') answer = body.conclusion.text;
  }
  const lines = [{ question }, ...results.of('main')].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, `${name}.rules.md`), `${answer.trim()}\n`);
});
