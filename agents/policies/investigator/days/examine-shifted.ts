import type { Play } from '../../../../src/core/policy.ts';
import { callIfOffered, type Finding, type PartReport, tell, usable } from '../part-report.ts';
import type { ListedTable } from '../tables/choose-tables.ts';

const MOST_FILES = 12;

/** Rows of a file with more fields than its header names: what stands behind a stray delimiter stands one column too far to the right. */
export async function examineShifted(play: Play, tables: readonly ListedTable[]): Promise<PartReport> {
  const files = tables.filter(({ kind }) => kind === 'file').slice(0, MOST_FILES);
  const described = await Promise.all(
    files.map((table) => callIfOffered(play, 'describe_table', { table: table.name, source: table.source })),
  );
  return tell(
    ...described.flatMap((result, at): Finding[] => {
      const said = usable(result)
        ? result.warnings.find(({ code, message }) => code === 'long_rows' && !/surplus is blank/.test(message))
        : undefined;
      if (!said || !result) return [];
      const where = said.message.replace(/\(lines ((?:\d+, ){2}\d+), [^)]*\)/, '(lines $1 and others)');
      const claim = `In \`${files[at]?.name ?? ''}\` ${where}: a delimiter stands within a value without quotes around it, so what stands behind it is one column too far to the right`;
      return [
        {
          kind: 'cause',
          claim: `${claim}.`,
          evidence: [result.id],
          confidence: 'high',
          refuted_by: 'a file in which these values are quoted',
        },
      ];
    }),
  );
}
