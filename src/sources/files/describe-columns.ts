import type { AlternativeReading, ColumnReading } from '../../core/file-reading.ts';
import type { ToolWarning } from '../../core/tool-result.ts';
import type { ColumnEvidence } from './column-evidence.ts';
import type { PlannedColumn } from './table-plan.ts';

export interface ColumnsDescribed {
  readonly columns: ColumnReading[];
  readonly alternatives: AlternativeReading[];
  readonly warnings: ToolWarning[];
}

/** The decisions about columns as the reading shows them. */
export function describeColumns(planned: readonly PlannedColumn[], evidence: readonly ColumnEvidence[]): ColumnsDescribed {
  const columns: ColumnReading[] = [];
  const alternatives: AlternativeReading[] = [];
  const warnings: ToolWarning[] = [];
  planned.forEach(({ name, decision }, index) => {
    const cells = evidence[index];
    const words = Object.fromEntries(cells?.nullWords ?? []);
    columns.push({
      name,
      position: index + 1,
      type: decision.type,
      ...(decision.format === undefined ? {} : { format: decision.format }),
      evidence: decision.evidence,
      empty: cells?.empty ?? 0,
      empty_quoted: cells?.emptyQuoted ?? 0,
      ...(cells && cells.nullWords.size > 0 ? { null_words: words } : {}),
      ...(decision.misfits ? { misfits: decision.misfits } : {}),
    });
    for (const other of decision.alternatives) alternatives.push({ about: `column "${name}"`, ...other });
    if (decision.warning) warnings.push({ code: 'ambiguous_column', message: `column "${name}": ${decision.warning}` });
    if (decision.note) warnings.push({ code: decision.note.code, message: `column "${name}": ${decision.note.message}` });
    const { misfits } = decision;
    if (misfits) {
      const shown = misfits.samples
        .map((sample) => `${JSON.stringify(sample.text)}${sample.line ? ` (line ${sample.line})` : ''}`)
        .join(', ');
      const message = `column "${name}" is text because ${misfits.atLeast ? 'at least ' : ''}${misfits.count} of its values do not fit ${misfits.type}${shown ? `: ${shown}` : ''}`;
      warnings.push({ code: 'misfit_values', message });
    }
    if (cells && cells.nullWords.size > 0 && decision.engineType !== 'VARCHAR') {
      const listed = [...cells.nullWords].map(([word, count]) => `${JSON.stringify(word)} ${count} times`).join(', ');
      warnings.push({ code: 'null_words', message: `column "${name}": read as NULL: ${listed}` });
    }
  });
  return { columns, alternatives, warnings };
}
