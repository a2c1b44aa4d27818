import type { InstalledModel, OllamaProbe } from './probe.ts';

/** Families that call tools well, the best first. A name begins with one of these, or is ranked after them all. */
const TOOL_CALLERS = [
  'qwen3',
  'gpt-oss',
  'qwen2.5',
  'mistral-small',
  'devstral',
  'llama3.3',
  'llama3.1',
  'llama4',
  'granite',
  'mistral-nemo',
  'command-r',
  'cogito',
  'llama3.2',
  'hermes3',
];

/**
 * The installed model to use when none was named: one that chats and runs on the server itself. Among those: one that is
 * known to take tools, then one of which that is not known, then one that takes none (it acts by JSON); then one of a
 * known tool-calling family, then the larger, then the family higher in the list, then the name, so that the choice is
 * the same every time. `undefined` when none will do.
 */
export function chooseModel(probe: OllamaProbe): InstalledModel | undefined {
  const usable = probe.models.filter((model) => !model.remote && model.chat !== false && !looksEmbedding(model));
  return usable.sort(compare)[0];
}

/** What a person has to know of the choice; empty where there is nothing. */
export function remarkOf({ tools }: InstalledModel): string {
  return tools === false ? 'it takes no tools, so it is asked for its actions as JSON' : '';
}

function compare(left: InstalledModel, right: InstalledModel): number {
  const [leftRank, rightRank] = [familyRank(left), familyRank(right)];
  return (
    toolRank(right) - toolRank(left) ||
    Number(rightRank < TOOL_CALLERS.length) - Number(leftRank < TOOL_CALLERS.length) ||
    billions(right) - billions(left) ||
    leftRank - rightRank ||
    (left.name < right.name ? -1 : 1)
  );
}

function toolRank({ tools }: InstalledModel): number {
  if (tools === undefined) return 1;
  return tools ? 2 : 0;
}

function familyRank({ name }: InstalledModel): number {
  const short = (name.split('/').at(-1) ?? name).toLowerCase();
  const rank = TOOL_CALLERS.findIndex((family) => short.startsWith(family));
  return rank < 0 ? TOOL_CALLERS.length : rank;
}

function looksEmbedding({ name, family = '' }: InstalledModel): boolean {
  return /embed|bge-|all-minilm|rerank/i.test(name) || /bert/i.test(family);
}

/** Billions of parameters, from `8.2B` or `137M`; by the file's size where it is not told. */
function billions({ parameterSize, bytes }: InstalledModel): number {
  const found = /^([\d.]+)\s*([BM])/i.exec(parameterSize ?? '');
  if (!found) return (bytes ?? 0) / 1e9;
  return Number(found[1]) / (found[2]?.toUpperCase() === 'M' ? 1_000 : 1);
}
