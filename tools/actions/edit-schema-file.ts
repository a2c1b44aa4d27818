import { isMap, isSeq, parseDocument, YAMLMap, YAMLSeq } from 'yaml';

export interface NewCheck {
  readonly table: string;
  readonly column?: string;
  readonly check: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

export type EditedFile = { readonly text: string } | { readonly refusal: string; readonly code: 'not_valid' | 'already_there' };

const EMPTY = 'version: 2\n';

/** The text of a dbt properties file with one test more; what stood there is kept, comments included. */
export function withCheck(before: string | undefined, { table, column, check, arguments: values }: NewCheck): EditedFile {
  const document = parseDocument(before?.trim() ? before : EMPTY);
  const [wrong] = document.errors;
  if (wrong) return { code: 'not_valid', refusal: `it is not valid YAML: ${wrong.message.split('\n', 1)[0]}` };
  if (!isMap(document.contents)) return { code: 'not_valid', refusal: 'it does not hold a map, as a properties file does' };
  const model = named(list(document.contents, 'models'), table);
  const owner = model && (column === undefined ? model : named(list(model, 'columns'), column));
  const tests = owner && list(owner, owner.has('tests') ? 'tests' : 'data_tests');
  if (!tests) return { code: 'not_valid', refusal: 'models, columns or tests in it are not lists' };
  const entry = values && Object.keys(values).length > 0 ? { [check]: values } : check;
  const known = (tests.toJSON() as unknown[]).some((one) => JSON.stringify(one) === JSON.stringify(entry));
  if (known) return { code: 'already_there', refusal: `${column ?? table} has the check ${check} already` };
  tests.add(document.createNode(entry));
  return { text: document.toString({ lineWidth: 0 }) };
}

/** The list under a key, made when there is none; nothing when something else stands there. */
function list(map: YAMLMap, key: string): YAMLSeq | undefined {
  const value = map.get(key, true) as unknown;
  if (isSeq(value)) return value;
  if (value !== undefined && value !== null && (value as { value?: unknown }).value !== null) return undefined;
  const made = new YAMLSeq();
  map.set(key, made);
  return made;
}

/** The entry of a list that has this name, added when there is none. */
function named(entries: YAMLSeq | undefined, name: string): YAMLMap | undefined {
  if (!entries) return undefined;
  const found = entries.items.find((item) => isMap(item) && item.get('name') === name);
  if (isMap(found)) return found;
  const made = new YAMLMap();
  made.set('name', name);
  entries.add(made);
  return made;
}
