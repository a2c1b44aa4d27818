import { z } from 'zod';
import { groupBy } from '../../src/core/group-by.ts';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, type OpenTable, openBeside, QuestionError } from './ask-table.ts';
import { type ColumnChange, type ColumnFacts, diffColumns } from './diff-columns.ts';
import { cutText, DATA_CHARACTERS, fitItems } from './fit-items.ts';
import { fitsPattern } from './fits-pattern.ts';
import { pickTables } from './open-tables.ts';
import { describeMisfits, MOST_MEASURED, readFacts } from './read-facts.ts';

const SECONDS = 150;

const inputShape = z.object({
  left: z.string().optional().describe('Table before; with right for two tables'),
  right: z.string().optional().describe('Table after'),
  left_source: z.string().optional(),
  right_source: z.string().optional(),
  pattern: z
    .string()
    .max(200)
    .optional()
    .describe('Instead: tables or files of one source that should be alike, e.g. "landing/orders_*"; compared in the order of their names'),
  source: z.string().optional().describe('Source of the pattern'),
  reference: z.string().optional().describe('Table that the others are compared with; the first of the most frequent layout when left out'),
});
type Input = z.output<typeof inputShape>;

const changeShape = z.object({
  kind: z.enum(['added', 'removed', 'respelled', 'likely_rename', 'retyped', 'reordered', 'unit_change']),
  from: z.string().optional(),
  to: z.string().optional(),
  evidence: z.string(),
});
const outputShape = z.object({
  reference: z.string(),
  compared: z.number(),
  unchanged: z.number(),
  /** Tables that differ from the reference in the same way, in the order of their names. */
  different: z.array(
    z.object({ tables: z.array(z.string()), tables_total: z.number(), changes: z.array(changeShape), changes_total: z.number() }),
  ),
  not_compared: z.array(z.object({ table: z.string(), because: z.string() })),
  not_compared_total: z.number(),
});

/** How the layouts of tables differ, by name, by position and by what the values are like. */
export const diffSchema = defineTool({
  name: 'diff_schema',
  description:
    'Compares the layout of two tables, or of a whole folder of daily files (pattern), each with a reference: columns added, removed, respelled (case, blanks), likely renamed (with evidence), retyped, reordered (what reading by position would mix up), and likely changes of unit (values 100 times smaller). Names what could not be compared. Use when a load breaks or totals change from a day on.',
  input: inputShape,
  output: outputShape,
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: { left: 'orders', right: 'stg_orders' },
  run: (input, context) => answerTable(async () => diff(input, context, performance.now() + SECONDS * 1000)),
});

interface Layout {
  readonly name: string;
  readonly table: OpenTable;
  readonly facts: readonly ColumnFacts[];
}

interface Failure {
  readonly table: string;
  readonly because: string;
}

async function diff(input: Input, context: ToolContext, deadline: number) {
  const { layouts, failures } = await readLayouts(input, context, deadline);
  const reference = chooseReference(layouts, input);
  if (reference === undefined) {
    const because = failures.map(({ table, because: reason }) => `${table}: ${reason}`).join('; ');
    throw new QuestionError('nothing_to_compare', `fewer than two tables could be read: ${cutText(because || 'none fits', 800)}`);
  }
  const groups = new Map<string, { tables: string[]; changes: readonly ColumnChange[] }>();
  let unchanged = 0;
  for (const layout of layouts.filter((item) => item !== reference)) {
    const changes = await explainRetyped(layout, diffColumns(reference.facts, layout.facts, isDeclared(reference) && isDeclared(layout)));
    if (changes.length === 0) unchanged += 1;
    else groupWith(groups, layout.name, changes);
  }
  const different = [...groups.values()].map(shapeGroup);
  const shown = fitItems(different, DATA_CHARACTERS - 1_500);
  const data = {
    reference: cutText(reference.name, 200),
    compared: layouts.length - 1,
    unchanged,
    different: [...shown],
    not_compared: [
      ...fitItems(
        failures.map(({ table, because }) => ({ table: cutText(table, 150), because: cutText(because, 200) })),
        1_000,
      ),
    ],
    not_compared_total: failures.length,
  };
  const warnings: ToolWarning[] = [];
  if (failures.length > 0) warnings.push({ code: 'not_compared', message: `${failures.length} tables were not compared` });
  if (shown.length < different.length)
    warnings.push({
      code: 'groups_left_out',
      message: `${different.length - shown.length} groups of tables that differ are not shown; narrow the pattern`,
    });
  const hidden = shown.some(({ changes, changes_total: total }) => changes.length < total);
  if (hidden) warnings.push({ code: 'changes_left_out', message: 'not all changes are shown; changes_total counts them' });
  if (reference.facts.length > MOST_MEASURED)
    warnings.push({
      code: 'values_not_compared',
      message: `values are looked at in the first ${MOST_MEASURED} columns only; the others are compared by name, type and place`,
    });
  const counts = { total: different.length, returned: shown.length, warnings, asOf: context.now() };
  return (failures.length > 0 || shown.length < different.length || hidden ? partial : complete)(data, counts);
}

async function readLayouts(input: Input, context: ToolContext, deadline: number): Promise<{ layouts: Layout[]; failures: Failure[] }> {
  const choices = await chooseTables(input, context);
  const layouts: Layout[] = [];
  const failures: Failure[] = [];
  for (const { table: name, source } of choices) {
    if (context.scope.stopped || performance.now() > deadline - 5_000) {
      failures.push({ table: name, because: 'the time for this tool was over' });
      continue;
    }
    try {
      const beside = layouts[0]?.table.source;
      const table = await openBeside(context, { table: name, source, beside }, deadline);
      layouts.push({ name: table.description.name, table, facts: await readFacts(table) });
    } catch (error) {
      if (input.pattern === undefined) throw error;
      failures.push({ table: name, because: error instanceof Error ? error.message : 'failed' });
    }
  }
  return { layouts, failures };
}

async function chooseTables(
  input: Input,
  context: ToolContext,
): Promise<readonly { readonly table: string; readonly source: string | undefined }[]> {
  if (input.pattern === undefined) {
    if (input.left === undefined || input.right === undefined)
      throw new QuestionError('which_tables', 'give "left" and "right", or a "pattern" of tables that should be alike');
    const left = { table: input.left, source: input.left_source ?? input.source };
    return [left, { table: input.right, source: input.right_source ?? input.source }];
  }
  const { source, engine } = await pickTables(context, { source: input.source, pattern: input.pattern });
  const { tables } = await engine.listTables(context.scope);
  const names = tables
    .map(({ name }) => name)
    .filter((name) => fitsPattern(name, input.pattern))
    .sort();
  if (names.length < 2)
    throw new QuestionError('nothing_to_compare', `${names.length} tables of "${source.name}" fit the pattern; two at least are needed`);
  return names.map((table) => ({ table, source: source.name }));
}

/** The one named; of two tables the first; else the first of the layout that most have. */
function chooseReference(layouts: readonly Layout[], input: Input): Layout | undefined {
  if (layouts.length < 2) return undefined;
  if (input.reference !== undefined) {
    const named = layouts.find(({ name }) => name === input.reference);
    if (!named) throw new QuestionError('unknown_reference', `"${cutText(input.reference, 100)}" is not among the tables compared`);
    return named;
  }
  if (input.pattern === undefined) return layouts[0];
  const alike = groupBy(layouts, ({ facts }) => JSON.stringify(facts.map(({ name, type }) => [name, type.replace(/\(.*\)/, '')])));
  return [...alike.values()].reduce((best, list) => (list.length > best.length ? list : best))[0];
}

function isDeclared({ table }: Layout): boolean {
  return !/infer/i.test(table.description.typesFrom);
}

/** Says of a column that became text how many values still are numbers. */
async function explainRetyped({ table }: Layout, changes: readonly ColumnChange[]): Promise<readonly ColumnChange[]> {
  const explained: ColumnChange[] = [];
  for (const [index, change] of changes.entries()) {
    const misfits =
      change.kind === 'retyped' && change.to !== undefined && index < 50
        ? await describeMisfits(table, change.to).catch(() => undefined)
        : undefined;
    explained.push(misfits === undefined ? change : { ...change, evidence: `${change.evidence}: ${misfits}` });
  }
  return explained;
}

/** Tables with the same changes by kind and column stand together; the evidence is that of the first. */
function groupWith(
  groups: Map<string, { tables: string[]; changes: readonly ColumnChange[] }>,
  name: string,
  changes: readonly ColumnChange[],
): void {
  const signature = JSON.stringify(changes.map(({ kind, from, to, detail }) => [kind, from, to, detail]));
  const group = groups.get(signature) ?? { tables: [], changes };
  group.tables.push(name);
  groups.set(signature, group);
}

function shapeGroup({
  tables,
  changes,
}: {
  readonly tables: readonly string[];
  readonly changes: readonly ColumnChange[];
}): z.output<typeof outputShape>['different'][number] {
  const short = ({ kind, from, to, evidence }: ColumnChange): z.output<typeof changeShape> => ({
    kind,
    ...(from === undefined ? {} : { from: cutText(from, 80) }),
    ...(to === undefined ? {} : { to: cutText(to, 80) }),
    evidence: cutText(evidence, 200),
  });
  return {
    tables: tables.slice(0, 4).map((name) => cutText(name, 120)),
    tables_total: tables.length,
    changes: [...fitItems(changes.map(short), 2_500)],
    changes_total: changes.length,
  };
}
