import { open } from 'node:fs/promises';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../src/core/tool.ts';
import { complete, partial, type ToolWarning } from '../../src/core/tool-result.ts';
import { answerTable, type OpenTable, openTable, QuestionError } from './ask-table.ts';
import { type CheckResult, evaluateCheck } from './evaluate-check.ts';
import { cutCell, cutText, fitItems } from './fit-items.ts';
import { type ReadContract, readContract, readInline } from './read-contract.ts';
import { runQuery } from './run-query.ts';

const SECONDS = 170;
const MOST_CHARACTERS = 200_000;
const MOST_CHECKS = 500;

const inputShape = z.object({
  table: z.string().min(1).describe('Name as list_tables gives it'),
  source: z.string().optional(),
  contract: z
    .string()
    .max(MOST_CHARACTERS)
    .optional()
    .describe('YAML or JSON: a dbt schema.yml, Soda checks or contract, a Great Expectations suite'),
  contract_path: z.string().optional().describe('Instead: path of such a file in a source with files'),
  contract_source: z.string().optional(),
  checks: z
    .array(z.record(z.string(), z.unknown()))
    .max(200)
    .optional()
    .describe(
      'Instead, a list such as {"check":"not_null","column":"id"}, unique (columns), accepted_values (values), range (min, max), length, pattern, type (expected), relationship (to, field), expression (sql), row_count (min, max), freshness (max_age_hours), required_columns, forbidden_columns',
    ),
});
type Input = z.output<typeof inputShape>;

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const resultShape = z.object({
  check: z.string(),
  status: z.enum(['breach', 'not_evaluated']),
  severity: z.string().optional(),
  breaches: z.number().optional(),
  of: z.number().optional(),
  value: cell.optional(),
  samples: z.array(cell).optional(),
  because: z.string().optional(),
});

/** Whether a table keeps what its contract promises. */
export const validateContract = defineTool({
  name: 'validate_contract',
  description:
    'Checks a table against a contract: a dbt schema.yml (tests, constraints, types), Soda checks or contract, a Great Expectations suite, or an inline list of checks. Returns breaches with counts and samples, and names every check that was not evaluated with the reason; such a check never counts as passed.',
  input: inputShape,
  output: z.object({
    source: z.string(),
    table: z.string(),
    language: z.string(),
    rows: z.number(),
    checks: z.number(),
    passed: z.number(),
    breached: z.number(),
    not_evaluated: z.number(),
    results: z.array(resultShape),
    passed_checks: z.array(z.string()),
  }),
  effect: 'read',
  timeoutSeconds: SECONDS + 10,
  example: {
    table: 'payments',
    checks: [
      { check: 'not_null', column: 'order_id' },
      { check: 'unique', columns: ['payment_id'] },
      { check: 'relationship', column: 'order_id', to: 'orders', field: 'order_id' },
    ],
  },
  run: (input, context) =>
    answerTable(async () => validate(input, await openTable(context, input, performance.now() + SECONDS * 1000), context)),
});

async function validate(input: Input, table: OpenTable, context: ToolContext) {
  const contract = await chooseContract(input, context);
  const [[count] = []] = await runQuery(table, `SELECT COUNT(*) FROM ${table.from}`);
  const rows = Number(count ?? 0);
  const results: CheckResult[] = [];
  for (const check of contract.checks.slice(0, MOST_CHECKS)) results.push(await evaluateCheck({ check, table, now: context.now() }));
  const breached = results.filter(({ status }) => status === 'breach');
  const unevaluated = [
    ...results.filter(({ status }) => status === 'not_evaluated').map(shapeResult),
    ...contract.skipped.map(({ label, because }) => ({ check: cutText(label, 120), status: 'not_evaluated' as const, because })),
    ...contract.checks.slice(MOST_CHECKS).map(({ label }) => ({
      check: cutText(label, 120),
      status: 'not_evaluated' as const,
      because: `only ${MOST_CHECKS} checks are evaluated at a time`,
    })),
  ];
  const passed = results.filter(({ status }) => status === 'pass').map(({ check }) => cutText(check.label, 120));
  const listed = [...breached.map(shapeResult), ...unevaluated];
  const shown = fitItems(listed, 5_500);
  const shownPassed = fitItems(passed, 1_200);
  const data = {
    source: table.source,
    table: cutText(table.description.name, 150),
    language: contract.language,
    rows,
    checks: results.length + contract.skipped.length + Math.max(0, contract.checks.length - MOST_CHECKS),
    passed: passed.length,
    breached: breached.length,
    not_evaluated: unevaluated.length,
    results: [...shown],
    passed_checks: [...shownPassed],
  };
  const warnings: ToolWarning[] = [];
  if (unevaluated.length > 0)
    warnings.push({ code: 'not_evaluated', message: `${unevaluated.length} checks were not evaluated: nothing is known about them` });
  if (rows === 0) warnings.push({ code: 'no_rows', message: 'the table is empty: checks of rows pass without a row' });
  if (shown.length < listed.length)
    warnings.push({ code: 'results_left_out', message: `${listed.length - shown.length} results are not shown` });
  if (shownPassed.length < passed.length)
    warnings.push({
      code: 'passed_left_out',
      message: `the names of ${passed.length - shownPassed.length} checks that passed are not shown`,
    });
  if (contract.otherTables.length > 0)
    warnings.push({ code: 'other_tables', message: cutText(`the contract also holds checks of ${contract.otherTables.join(', ')}`, 250) });
  const counts = { total: listed.length, returned: shown.length, warnings, asOf: context.now() };
  return (unevaluated.length > 0 || shown.length < listed.length ? partial : complete)(data, counts);
}

function shapeResult({ check, status, breaches, of, value, samples, because }: CheckResult): z.output<typeof resultShape> {
  return {
    check: cutText(check.label, 150),
    status: status === 'breach' ? 'breach' : 'not_evaluated',
    ...(check.severity === undefined ? {} : { severity: check.severity }),
    ...(breaches === undefined ? {} : { breaches }),
    ...(of === undefined ? {} : { of }),
    ...(value === undefined ? {} : { value: cutCell(value, 80) }),
    ...(samples === undefined ? {} : { samples: samples.map((sample) => cutCell(sample, 60)) }),
    ...(because === undefined ? {} : { because: cutText(because, 200) }),
  };
}

async function chooseContract(input: Input, context: ToolContext): Promise<ReadContract> {
  const given = [input.contract, input.contract_path, input.checks].filter((item) => item !== undefined);
  if (given.length !== 1)
    throw new QuestionError('which_contract', 'give one of "contract" (text), "contract_path" (a file of a source) and "checks" (a list)');
  if (input.checks !== undefined) return { language: 'list of checks', otherTables: [], ...readInline(input.checks) };
  return readContract(input.contract ?? (await readContractFile(input, context)), input.table);
}

async function readContractFile({ contract_path: path = '', contract_source: name }: Input, context: ToolContext): Promise<string> {
  const source = await context.sources.pick('files', name);
  if (!source.files) throw new QuestionError('no_files', `source "${source.name}" has no files`);
  const handle = await open(await source.files.resolve(path), 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_CHARACTERS + 1), 0, MOST_CHARACTERS + 1, 0);
    if (bytesRead > MOST_CHARACTERS)
      throw new QuestionError('contract_too_large', `"${cutText(path, 200)}" is larger than ${MOST_CHARACTERS} bytes`);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
