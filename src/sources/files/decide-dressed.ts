import type { ColumnEvidence } from './column-evidence.ts';
import type { ColumnDecision } from './decide-column.ts';
import { undressNumber } from './undress-number.ts';

/** A column of numbers with units, parentheses or signs behind them: read without these where they say the same of every number. */
export function decideDressed(evidence: ColumnEvidence, cells: number, bare: ColumnDecision): ColumnDecision {
  const { dressed, units, enclosed } = evidence;
  if (dressed === 0 || bare.engineType === 'VARCHAR') return bare;
  const counts = [...units].map(([unit, count]) => `${unit} ${count} times`).join(', ');
  const unit = [...units.keys()][0];
  if (units.size > 1) return asText(`amounts have several units (${counts})`);
  if (unit === '%' && units.get(unit) !== cells)
    return asText(`${units.get(unit)} of ${cells} numbers are percentages, the others are not`);
  if (enclosed === cells) return asText(`all ${cells} numbers stand in parentheses`, false);
  const { canonical } = bare;
  if (canonical === undefined) return bare;
  const said = [
    ...(unit === undefined ? [] : [`"${unit}" is left out`]),
    ...(enclosed > 0 ? ['numbers in parentheses are below zero'] : []),
    ...(dressed > enclosed && unit === undefined ? ['signs may be long or stand behind'] : []),
  ].join(', ');
  const format = unit === undefined ? bare.format : `${bare.format ?? '1234.56'} with ${unit}`;
  return {
    ...bare,
    canonical: (text) => canonical(undressNumber(text)?.plain ?? text),
    format: format ?? '1234.56 with other signs',
    evidence: `${bare.evidence}; ${dressed} are more than digits and a sign in front`,
    note: { code: 'numbers_with_signs', message: said },
  };
}

function asText(evidence: string, isOdd = true): ColumnDecision {
  return { type: 'text', engineType: 'VARCHAR', evidence, alternatives: [], ...(isOdd ? { warning: `${evidence}: kept as text` } : {}) };
}
