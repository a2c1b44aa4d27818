import { dirname } from 'node:path';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { failed, noData, refused } from '../../src/core/tool-result.ts';
import { answerLists } from '../artifacts/answer-lists.ts';
import { type Artifact, findArtifacts } from '../artifacts/find-artifacts.ts';
import { shortenText } from '../artifacts/shorten-text.ts';
import { compareManifests } from '../dbt/compare-manifests.ts';
import type { DbtManifest } from '../dbt/dbt-manifest.ts';
import { createManifestReader } from '../dbt/load-invocations.ts';
import {
  changedNode,
  fitList,
  goneTest,
  listOf,
  manifestChanges,
  shapeChangedNode,
  shapeGoneTest,
  shapeManifestChanges,
} from '../dbt/shape-changes.ts';
import { createListShortener } from '../runs/shorten-lists.ts';
import { gitChanges, gitOutput } from './git-changes.ts';

const output = z.object({
  kind: z.enum(['manifests', 'git']),
  source: z.string(),
  from: z.string(),
  to: z.string(),
  changed_nodes: listOf(changedNode).optional(),
  tests_disappeared: listOf(goneTest).optional(),
  tests_added: z.number().optional(),
  dbt_version: z.object({ from: z.string().nullable(), to: z.string().nullable() }).optional(),
  ...Object.fromEntries(Object.entries(manifestChanges).map(([key, shape]) => [key, shape.optional()])),
  git: gitOutput.optional(),
});

const input = z.object({
  source: z.string().optional().describe('Name of the source; all that have files unless named'),
  from: z
    .string()
    .optional()
    .describe('The earlier manifest (file or folder), or a git revision or date; the one before "to" unless given'),
  to: z.string().optional().describe('The later manifest, or a git revision or date; the newest unless given'),
  limit: z.number().int().min(1).max(200).default(20),
});

/** What changed in the code of a pipeline between two states of it. */
export const changesBetween = defineTool({
  name: 'changes_between',
  description:
    'Says what changed in the code between two states: of two dbt manifests (the two newest unless named) the changed models with the lines of SQL that differ, settings, macros, packages and tests that disappeared; of a git repository in a source the commits between two revisions or dates, with the changed models, packages and dags and their lines. Use it to tie a change of figures or duration to a change of code.',
  input,
  output,
  effect: 'read',
  example: {},
  run: findChanges,
});

async function findChanges(request: z.output<typeof input>, context: ToolContext) {
  const found = await findArtifacts(context, { source: request.source, kinds: ['dbt_manifest', 'git_repository'] });
  const manifests = found.artifacts.filter(({ kind }) => kind === 'dbt_manifest');
  const [repository] = found.artifacts.filter(({ kind }) => kind === 'git_repository');
  const named = [request.from, request.to].some((name) => name !== undefined && manifests.some((one) => fits(one, name)));
  if (manifests.length >= 2 && (named || !repository)) return compareTwo(request, manifests, context);
  if (repository) return compareCommits(request, repository, context);
  const message =
    manifests.length === 1
      ? `only one manifest was found (${manifests[0]?.path}): two are needed`
      : 'no source holds dbt manifests or a git repository';
  return noData({ message }, { warnings: found.warnings.slice(0, 3), asOf: context.now() });
}

async function compareTwo(request: z.output<typeof input>, artifacts: readonly Artifact[], context: ToolContext) {
  const read = createManifestReader();
  const lists = createListShortener();
  const loaded: { artifact: Artifact; manifest: DbtManifest }[] = [];
  for (const artifact of artifacts) {
    const manifest = await read(artifact);
    if (manifest) loaded.push({ artifact, manifest });
    else lists.leaveOut(`${artifact.path} could not be read`);
  }
  const at = ({ artifact, manifest }: (typeof loaded)[number]): string => manifest.generatedAt ?? artifact.modified.toISOString();
  loaded.sort((left, right) => (at(left) < at(right) ? 1 : -1));
  const to = request.to === undefined ? loaded[0] : loaded.find(({ artifact }) => fits(artifact, request.to ?? ''));
  const from =
    request.from === undefined ? to && loaded[loaded.indexOf(to) + 1] : loaded.find(({ artifact }) => fits(artifact, request.from ?? ''));
  if (!from || !to || from === to)
    return refused(
      'no_pair',
      `there are no two manifests "${request.from ?? 'the one before'}" and "${request.to ?? 'the newest'}"; there are: ${artifacts
        .slice(0, 8)
        .map(({ path }) => path)
        .join(', ')}`,
    );
  const compared = compareManifests(from.manifest, to.manifest);
  if (compared.withoutCode > 0)
    lists.warn([{ code: 'no_code', message: `${compared.withoutCode} models have no SQL in a manifest and were compared by checksum` }]);
  const list = <Item>(name: string, items: readonly Item[], characters: number) =>
    fitList(lists, name, items, { characters, most: request.limit });
  const data: z.output<typeof output> = {
    kind: 'manifests',
    source: to.artifact.source,
    from: from.artifact.path,
    to: to.artifact.path,
    dbt_version: { from: from.manifest.dbtVersion, to: to.manifest.dbtVersion },
    changed_nodes: list('changed_nodes', compared.changed.map(shapeChangedNode), 5000),
    tests_disappeared: list('tests_disappeared', compared.goneTests.map(shapeGoneTest), 1800),
    tests_added: compared.newTests.length,
    ...shapeManifestChanges(compared, lists),
  };
  return answerLists(data, {
    lists,
    whole: true,
    now: context.now(),
    total: compared.changed.length,
    returned: data.changed_nodes?.returned ?? 0,
  });
}

/** Whether a name means this file: its path, its folder, or a part of its path. */
function fits({ path }: Artifact, name: string): boolean {
  const plain = name.replace(/^\.\//, '').replace(/\/$/, '');
  return path === plain || path.startsWith(`${plain}/`) || path.split('/').includes(plain);
}

async function compareCommits(request: z.output<typeof input>, head: Artifact, context: ToolContext) {
  const lists = createListShortener();
  const answer = await gitChanges(dirname(dirname(head.absolutePath)), request, { lists, signal: context.scope.signal });
  if (!answer.ok) return answer.refused ? refused('bad_revision', answer.message) : failed('git', shortenText(answer.message, 300));
  const data: z.output<typeof output> = { kind: 'git', source: head.source, from: answer.from, to: answer.to, git: answer.git };
  const { total, returned } = answer.git.commits;
  return answerLists(data, { lists, whole: true, now: context.now(), total, returned });
}
