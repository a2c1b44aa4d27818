import type { FileReading } from '../../core/file-reading.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import { decideColumn } from './decide-column.ts';
import { dateReadings } from './decide-date.ts';
import { describeColumns } from './describe-columns.ts';
import type { Examination, TextFile } from './examine-file.ts';
import { type DateHints, hasOpenDateOrder, settledDateOrders } from './gather-hints.ts';
import type { RecordsInside } from './records-inside.ts';
import { type JsonScan, scanJson } from './scan-json.ts';
import { unique } from './shape-table.ts';
import { sisterHints } from './sister-files.ts';
import { MOST_COLUMNS, type PlannedColumn, type TablePlan } from './table-plan.ts';

/** Deeper values are handed to the engine as text. */
const DEEPEST_JSON = 200;

/** Reads a file as JSON; undefined when it is none and its name does not say that it should be. */
export async function examineJson(file: TextFile, named: boolean): Promise<Examination | undefined> {
  const { base, encoding, gzip, path, options, limit } = file;
  const scan = await scanJson({ path, gzip, encoding: encoding.name, scope: options.scope, ...(limit === undefined ? {} : { limit }) });
  if (!named && (scan.rows === 0 || scan.json.bad_count > scan.rows * 0.1)) return undefined;
  const hints = await gatherHints(file, scan);
  const taken = new Map<string, number>();
  const columns: PlannedColumn[] = scan.keys.map((key, index) => {
    const evidence = scan.evidence[index];
    if (evidence === undefined) throw new RangeError(`key ${key} was not counted`);
    const decided = decideColumn(evidence, { name: key });
    const dates = decided.type === 'text' ? dateReadings(evidence, { name: key, dateOrders: hints }) : [];
    const mixed = decided.misfits ? {} : mixedKinds(evidence);
    const decision = { ...decided, ...mixed, alternatives: [...decided.alternatives, ...dates] };
    const deep = decision.type === 'json' && (scan.deepest > DEEPEST_JSON || scan.json.non_finite > 0);
    return {
      name: unique(key.replaceAll('\0', '\ufffd') || 'column', taken),
      decision: deep ? { ...decision, engineType: 'VARCHAR' } : decision,
    };
  });
  const described = describeColumns(columns, scan.evidence);
  const kind = scan.json.shape === 'values' || /\.(jsonl|ndjson)$/.test(file.extension) ? 'json_lines' : 'json';
  const exact = limit === undefined && scan.broken === null;
  const reading: FileReading = {
    ...base,
    kind,
    kind_evidence:
      scan.rows > 0 ? `JSON: ${scan.json.top_level_values} top-level values, ${scan.rows} rows` : 'named JSON, but no value could be read',
    complete: base.complete && scan.broken === null,
    json: scan.json,
    width: scan.keyCount,
    columns: described.columns,
    rows: { count: scan.rows, exact },
    alternatives: described.alternatives,
    warnings: [...base.warnings, ...jsonWarnings(scan, columns), ...described.warnings],
  };
  const refusal = whyNoTable(scan);
  if (refusal) return { reading, noTable: refusal };
  const rows = limit === undefined ? scan.rows : undefined;
  const plan: TablePlan = { kind: 'json', gzip, encoding: encoding.name, columns, keys: scan.keys, inside: scan.inside ?? null, rows };
  return { reading, plan };
}

/** Texts beside numbers under one key, which in JSON are different things. */
function mixedKinds({ shapes }: ColumnEvidence): Pick<PlannedColumn['decision'], 'note'> {
  const numbers = shapes.integer + shapes.number;
  if (numbers === 0 || shapes.other === 0 || shapes.json > 0) return {};
  return { note: { code: 'mixed_types', message: `${numbers} values are numbers and ${shapes.other} are texts: all are kept as text` } };
}

/** Orders of day and month that other keys settle, and files beside this one where those leave one open. */
async function gatherHints({ options }: TextFile, { keys, evidence }: JsonScan): Promise<DateHints> {
  const own = settledDateOrders(
    evidence.map((cells, index) => ({ name: keys[index] ?? '', evidence: cells })),
    ' of this file',
  );
  if (!options.sisters || !hasOpenDateOrder(evidence, own)) return own;
  const { dateOrders } = await sisterHints(options.sisters, keys, options.scope);
  return new Map([...dateOrders, ...own]);
}

function whyNoTable({ keyCount, rows, json, broken }: JsonScan): string | undefined {
  if (keyCount > MOST_COLUMNS) return `the values have ${keyCount} distinct keys; tables have at most ${MOST_COLUMNS} columns`;
  if (rows > 0 || (json.bad_count === 0 && broken === null)) return undefined;
  const [first] = json.bad;
  if (first === undefined && broken) return broken.because;
  return `not valid JSON${first ? ` (line ${first.line}: ${first.text.slice(0, 60)})` : ''}`;
}

function jsonWarnings(scan: JsonScan, columns: readonly PlannedColumn[]): ToolWarning[] {
  const { json, rows, keyCount } = scan;
  const warnings: ToolWarning[] = [];
  const warn = (code: string, message: string): number => warnings.push({ code, message });
  if (json.bad_count > 0) {
    const shown = json.bad.map(({ line, text }) => `line ${line}: ${text.slice(0, 60)}`).join('; ');
    warn('bad_json', `${json.bad_count} places are not valid JSON and are not rows (${shown})`);
  }
  if (scan.broken) warn('broken_json', `nothing after line ${scan.broken.line} could be read: ${scan.broken.because}`);
  if (json.duplicate_keys.length > 0)
    warn('duplicate_keys', `keys that come twice in one object: ${json.duplicate_keys.join(', ')}; the last value is taken`);
  if (json.non_finite > 0) warn('non_finite', `${json.non_finite} NaN or infinite numbers, which JSON does not allow`);
  if (json.several_values_on_a_line) warn('several_values_on_a_line', 'several values stand on one line');
  if (scan.deepest > DEEPEST_JSON) warn('deep_json', `values are nested ${scan.deepest} levels deep; nested values are text`);
  if (keyCount > MOST_COLUMNS) warn('too_wide', `${keyCount} distinct keys: only the first ${MOST_COLUMNS} were typed`);
  const renamed = columns.filter(({ name }, index) => name !== scan.keys[index]);
  if (renamed.length > 0)
    warn('renamed_columns', `keys that differ in case only were renamed: ${renamed.map(({ name }) => name).join(', ')}`);
  if (scan.inside) warnings.push(...insideWarnings(scan.inside));
  warnings.push(...scan.reshaped);
  if (!scan.inside && json.shape === 'object' && scan.nestedIn.length > 0 && rows === 1)
    warn('one_object', `the file is one object, so one row; it holds ${scan.nestedIn.join(', ')}: unnest what the rows should be`);
  if (rows === 0 && json.bad_count === 0 && !scan.broken) warn('no_rows', 'the file holds no values');
  return warnings;
}

const COUNT_KEY = /^(?:total|count|total_?(?:count|entries|results|items|records|hits|elements)|num_?(?:found|results)|size)$/i;

/** Where the rows stand in the file, what stands beside them, and whether they are only some of those there are. */
function insideWarnings({ at, count, beside }: RecordsInside): ToolWarning[] {
  const shown = beside
    .slice(0, 6)
    .map(([key, text]) => `${key}=${text.slice(0, 40)}`)
    .join(', ');
  const message = `the rows are the ${count} records under "${at}" of the file's only object${shown ? `; beside them stand ${shown}` : ''}`;
  const [key, total] = beside.find(([name, text]) => COUNT_KEY.test(name) && Number(text) > count) ?? [];
  const part = { code: 'part_of_a_list', message: `the file says ${key}=${total} but holds ${count} records: other pages may be missing` };
  return [{ code: 'records_inside', message }, ...(key === undefined ? [] : [part])];
}
