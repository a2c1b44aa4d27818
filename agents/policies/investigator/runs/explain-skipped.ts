import type { Play } from '../../../../src/core/policy.ts';
import { shortName } from '../artifacts/dbt-hidden.ts';
import { callIfOffered, NOTHING, type PartReport, tell, usable } from '../part-report.ts';
import { namedOf, type Question } from '../question/read-question.ts';
import { enumerate, figure, type Reading, read } from '../read-data.ts';
import type { ChosenRun } from './choose-run.ts';

const MOST_FAILED = 5;
const MOST_NAMED = 3;

/** Why dbt did not build what the question names: it was skipped, since something that it is made from failed. */
export async function explainSkipped(play: Play, question: Question, { run, source }: ChosenRun): Promise<PartReport> {
  if (!play.sources.some(({ name, kind }) => name === source && kind === 'dbt')) return NOTHING;
  const taken = await callIfOffered(play, 'read_dbt_run', { source, run: run.runId, status: 'skipped', limit: 200 });
  if (!usable(taken)) return NOTHING;
  const data = read(taken.data);
  const skipped = data
    .at('skipped')
    .list('items')
    .map((one) => one.text('node') ?? '');
  const names = namedOf(question, [...new Set(skipped.map(shortName))]);
  const nodes = skipped.filter((node) => names.includes(shortName(node))).slice(0, MOST_NAMED);
  const failed = data.at('failed').list('items');
  const told = await Promise.all(
    nodes.map(async (node) => {
      const { guilty, evidence } = await guiltyOf(play, node, { failed, source, path: data.at('manifest').text('path') });
      const reason = guilty.length === 0 ? '' : `, since what it is made from failed: ${enumerate(guilty.map(failureText), 3)}`;
      return { claim: `\`${node}\` was skipped${reason}`, evidence };
    }),
  );
  if (told.length === 0) return NOTHING;
  const claim = `${told.map((one) => one.claim).join('; ')}.`;
  const evidence = [taken.id, ...told.flatMap((one) => one.evidence)];
  return tell({ kind: 'cause', claim, evidence, confidence: 'high', refuted_by: 'a later run that built it' });
}

interface Failures {
  readonly failed: readonly Reading[];
  readonly source: string;
  /** The manifest of the run. */
  readonly path: string | null;
}

/** Of the failures, those of nodes that a node is made from, or of tests of them; the only one where there is but one. */
async function guiltyOf(play: Play, node: string, { failed, source, path }: Failures) {
  if (failed.length < 2) return { guilty: failed, evidence: [] };
  const above = async (id: string) =>
    callIfOffered(play, 'lineage', {
      node: id,
      direction: 'upstream',
      depth: 20,
      include_tests: true,
      source,
      ...(path === null ? {} : { path }),
    });
  const own = await above(node);
  const upstream = idsIn(own?.data);
  const judged = await Promise.all(
    failed.slice(0, MOST_FAILED).map(async (one) => {
      const id = one.text('node') ?? '';
      const tested = /^(unit_)?test\./.test(id) ? idsIn((await above(id))?.data) : new Set<string>();
      return { one, isGuilty: upstream.has(id) || [...tested].some((parent) => upstream.has(parent)) };
    }),
  );
  const guilty = judged.filter(({ isGuilty }) => isGuilty).map(({ one }) => one);
  return { guilty, evidence: usable(own) ? [own.id] : [] };
}

function idsIn(data: unknown): ReadonlySet<string> {
  const items = read(data).at('upstream').list('items');
  return new Set(items.map((one) => one.text('id') ?? ''));
}

function failureText(one: Reading): string {
  const failures = one.number('failures');
  const message = one.text('message');
  const parts = [
    one.text('status') ?? '',
    ...(failures === null ? [] : [`failures ${figure(failures)}`]),
    ...(message === null ? [] : [message.slice(0, 200)]),
  ];
  return `\`${one.text('node') ?? ''}\` (${parts.join(', ')})`;
}
