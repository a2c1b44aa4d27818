import type { Scope } from '../../core/scope.ts';
import { NULL_WORDS } from './classify-cell.ts';
import type { ColumnDecision } from './decide-column.ts';
import type { JsonValue } from './parse-json-item.ts';
import { readRows } from './scan-delimited.ts';
import { lastOfEach, readJsonRows } from './scan-json.ts';
import type { TablePlan } from './table-plan.ts';
import { openRowWriter } from './write-rows.ts';

export interface Normalised {
  readonly rows: number;
  /** Characters of the longest row. */
  readonly longest: number;
}

/** Writes a file's table as CSV of the one kind that the engine reads without a choice of its own. */
export async function normaliseFile(path: string, plan: TablePlan, target: string, scope: Scope): Promise<Normalised> {
  const writer = openRowWriter(target);
  const file = { path, gzip: plan.gzip, encoding: plan.encoding, scope };
  const afterChunk = (): Promise<void> => writer.drain();
  if (plan.kind === 'delimited') {
    const { columns, dialect, shape, surplus } = plan;
    const width = surplus ? columns.length - 1 : columns.length;
    await readRows(
      { ...file, dialect, shape },
      ({ fields, quoted, line }) => {
        const cells: (string | null)[] = [];
        for (let index = 0; index < width; index++) {
          const decision = columns[index]?.decision;
          cells.push(decision ? delimitedCell(fields[index], quoted?.[index] === true, decision) : null);
        }
        if (surplus) cells.push(fields.length > width ? fields.slice(width).join(dialect.delimiter) : null);
        writer.write(line, cells);
      },
      afterChunk,
    );
  } else {
    await readJsonRows(
      { ...file, inside: plan.inside },
      ({ row, item }) => {
        const values = lastOfEach(row);
        writer.write(
          item.line,
          plan.columns.map(({ decision }, index) => jsonCell(values.get(plan.keys[index] ?? ''), decision)),
        );
      },
      { afterChunk },
    );
  }
  return writer.end();
}

function delimitedCell(field: string | undefined, quoted: boolean, decision: ColumnDecision): string | null {
  if (field === undefined || (field === '' && !quoted)) return null;
  if (decision.engineType === 'VARCHAR') return field;
  const text = field.trim();
  if (text === '' || text === '\\N' || NULL_WORDS.has(text.toLowerCase())) return null;
  return decision.canonical ? (decision.canonical(text) ?? text) : text;
}

function jsonCell(value: JsonValue | undefined, decision: ColumnDecision): string | null {
  if (value === undefined || value.kind === 'null') return null;
  if (decision.type === 'json') return value.kind === 'string' ? JSON.stringify(value.text) : value.text;
  if (decision.engineType === 'VARCHAR' || value.text === '') return decision.engineType === 'VARCHAR' ? value.text : null;
  return decision.canonical ? (decision.canonical(value.text) ?? value.text) : value.text;
}
