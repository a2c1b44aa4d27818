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
 * The installed model to use when none was named: one that chats, takes tools (a server that does not say is given the
 * benefit of the doubt) and runs on the server itself. Among those: one that is known to take tools, then one of a
 * known tool-calling family, then the larger, then the family higher in the list, then the name, so that the choice is
 * the same every time. `undefined` when none will do.
 */
export function chooseModel(probe: OllamaProbe): string | undefined {
  const usable = probe.models.filter((model) => !model.remote && model.chat !== false && model.tools !== false && !looksEmbedding(model));
  return usable.sort(compare)[0]?.name;
}

function compare(left: InstalledModel, right: InstalledModel): number {
  const [leftRank, rightRank] = [familyRank(left), familyRank(right)];
  return (
    Number(right.tools === true) - Number(left.tools === true) ||
    Number(rightRank < TOOL_CALLERS.length) - Number(leftRank < TOOL_CALLERS.length) ||
    billions(right) - billions(left) ||
    leftRank - rightRank ||
    (left.name < right.name ? -1 : 1)
  );
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
