/** Names that stand for the same type, the first of each group for all. */
const SAME: readonly (readonly string[])[] = [
  ['INTEGER', 'INT', 'INT4', 'SIGNED'],
  ['BIGINT', 'INT8', 'LONG', 'INT64'],
  ['SMALLINT', 'INT2', 'SHORT'],
  ['VARCHAR', 'TEXT', 'STRING', 'CHARACTER VARYING', 'CHAR', 'CHARACTER', 'BPCHAR', 'NVARCHAR', 'CLOB'],
  ['DOUBLE', 'DOUBLE PRECISION', 'FLOAT8', 'FLOAT64'],
  ['FLOAT', 'REAL', 'FLOAT4'],
  ['DECIMAL', 'NUMERIC', 'NUMBER'],
  ['TIMESTAMP', 'DATETIME', 'TIMESTAMP WITHOUT TIME ZONE', 'TIMESTAMP_NTZ'],
  ['TIMESTAMPTZ', 'TIMESTAMP WITH TIME ZONE', 'TIMESTAMP_TZ'],
  ['BOOLEAN', 'BOOL', 'LOGICAL'],
];

interface TypeName {
  readonly name: string;
  readonly size: string | undefined;
}

function readTypeName(type: string): TypeName {
  const [, bare = '', size, rest = ''] = /^\s*([^(]+?)\s*(?:\(([^)]*)\))?(\s+with(?:out)? time zone)?\s*$/i.exec(type) ?? [undefined, type];
  const name = `${bare}${rest}`.toUpperCase().replace(/\s+/g, ' ').trim();
  return { name: SAME.find((group) => group.includes(name))?.[0] ?? name, size: size?.replace(/\s+/g, '') };
}

/** Whether a type is the one expected, by any of its names; a size counts only where one is expected. */
export function isSameType(expected: string, actual: string): boolean {
  const [wanted, found] = [readTypeName(expected), readTypeName(actual)];
  return wanted.name === found.name && (wanted.size === undefined || found.size === undefined || wanted.size === found.size);
}
