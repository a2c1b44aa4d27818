import type { Alias, Node as AnyNode, Document, LineCounter, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml';
import type { Problem } from '../core/errors.ts';
import { fillVariables, unmaskVariables } from './environment-text.ts';
import type { Path, YamlRules } from './yaml-document.ts';

const MOST_VALUES = 100_000;
const MOST_DEPTH = 64;
const CORE_TAG = /^tag:yaml\.org,2002:(map|seq|str|int|float|bool|null)$/;

type Node = AnyNode & { readonly anchor?: string; readonly tag?: string };

interface Place {
  readonly key?: number;
  readonly value: number;
}

/** Where and how the values of one file were written. */
export interface ConvertedValues {
  readonly value: unknown;
  readonly places: ReadonlyMap<string, Place>;
  readonly shown: ReadonlyMap<string, string>;
  /** Paths, as JSON, of values that lack a variable. */
  readonly unfilled: ReadonlySet<string>;
}

export interface ConversionRequest {
  readonly yaml: typeof import('yaml');
  readonly document: Document;
  readonly text: string;
  readonly rules: YamlRules;
  readonly report: (offset: number, fact: string, fix?: string) => void;
}

/** Thrown inside a conversion that cannot go on; the problem has been reported. */
export class ConversionStopped extends Error {}

/** Turns a parsed document into plain values: aliases followed, variables filled in, every place remembered. */
export function convertValues(request: ConversionRequest): ConvertedValues {
  return new Conversion(request).run();
}

class Conversion {
  private readonly places = new Map<string, Place>();
  private readonly shown = new Map<string, string>();
  private readonly unfilled = new Set<string>();
  private readonly following = new Set<Node>();
  private readonly anchors = new Map<string, Node>();
  private readonly request: ConversionRequest;
  private count = 0;

  constructor(request: ConversionRequest) {
    this.request = request;
  }

  run(): ConvertedValues {
    const value = this.convert(this.request.document.contents as Node | null, [], undefined);
    return { value, places: this.places, shown: this.shown, unfilled: this.unfilled };
  }

  private convert(node: Node | null, path: Path, key: number | undefined): unknown {
    const { yaml } = this.request;
    const offset = node?.range?.[0] ?? key ?? 0;
    this.count++;
    if (this.count > MOST_VALUES) {
      this.stop(offset, `more than ${MOST_VALUES} values once its aliases are followed`, 'write the values out, or fewer of them');
    }
    if (path.length > MOST_DEPTH) this.stop(offset, `values nested deeper than ${MOST_DEPTH}`, 'flatten it');
    this.places.set(JSON.stringify(path), { value: offset, ...(key === undefined ? {} : { key }) });
    if (node === null) return null;
    if (yaml.isAlias(node)) return this.follow(node, path, key);
    this.checkTag(node, offset);
    // Kept here since `Alias.resolve` walks the whole document for each alias.
    if (node.anchor) this.anchors.set(node.anchor, node);
    this.following.add(node);
    try {
      if (yaml.isMap(node)) return this.convertMap(node, path);
      if (yaml.isSeq(node)) return this.convertList(node, path);
      return this.convertScalar(node as Scalar, path, offset);
    } finally {
      this.following.delete(node);
    }
  }

  private follow(alias: Alias, path: Path, key: number | undefined): unknown {
    const offset = alias.range?.[0] ?? 0;
    const target = this.anchors.get(alias.source);
    if (!target) this.stop(offset, `alias "*${alias.source}" has no anchor before it`, 'write the value out');
    if (this.following.has(target)) this.stop(offset, `alias "*${alias.source}" stands inside its own anchor`, 'write the value out');
    const value = this.convert(target, path, key);
    this.places.set(JSON.stringify(path), { value: offset, ...(key === undefined ? {} : { key }) });
    return value;
  }

  private convertMap(map: YAMLMap, path: Path): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const synonyms = this.request.rules.synonyms?.(path);
    for (const pair of map.items as Pair<Node, Node | null>[]) {
      const offset = pair.key?.range?.[0] ?? map.range?.[0] ?? 0;
      const written = this.readKey(pair.key, offset);
      if (written === undefined) continue;
      const key = synonyms && Object.hasOwn(synonyms, written) ? (synonyms[written] as string) : written;
      if (Object.hasOwn(result, key) || this.places.has(JSON.stringify([...path, key]))) {
        this.request.report(offset, `key "${written}" is given twice`, 'keep one of them');
        continue;
      }
      const value = this.convert(pair.value, [...path, key], offset);
      if (value !== null || this.request.rules.keepsEmpty?.([...path, key])) result[key] = value;
    }
    return result;
  }

  private readKey(node: Node | null, offset: number): string | undefined {
    const { yaml, report } = this.request;
    if (!yaml.isScalar(node) || node.value === null || typeof node.value === 'object') {
      report(offset, 'a key must be plain text', 'write it as name: value');
      return undefined;
    }
    const key = unmaskVariables(String(node.value));
    if (key !== '__proto__') return key;
    report(offset, 'key "__proto__" is not allowed', 'choose another name');
    return undefined;
  }

  private convertList(list: YAMLSeq, path: Path): unknown[] {
    return (list.items as (Node | null)[]).map((item, index) => this.convert(item, [...path, index], undefined));
  }

  private convertScalar(scalar: Scalar, path: Path, offset: number): unknown {
    const { rules, text, report } = this.request;
    if (typeof scalar.value !== 'string') return scalar.value;
    const plain = unmaskVariables(scalar.value);
    if (rules.isLiteral?.(path)) return plain;
    const result = fillVariables(scalar.value, rules.environment);
    for (const { name, masked } of result.missing) {
      const found = text.indexOf(masked, offset);
      const end = scalar.range?.[1] ?? text.length;
      const key = path.findLast((step) => typeof step === 'string') ?? '';
      report(
        found >= 0 && found < end ? found : offset,
        `"${path.join('.') || key}" uses \${${name}}, which the environment does not have`,
        `set ${name}, or write $\${${name}} for the plain text`,
      );
    }
    if (result.missing.length > 0) this.unfilled.add(JSON.stringify(path));
    if (result.filled) this.shown.set(JSON.stringify(path), plain);
    return result.text;
  }

  private checkTag(node: Node, offset: number): void {
    const tag = node.tag;
    if (tag === undefined || tag === '!' || CORE_TAG.test(tag)) return;
    this.request.report(offset, `tag "${tag.replace('tag:yaml.org,2002:', '!!')}" is not known here`, 'leave the tag out');
  }

  private stop(offset: number, fact: string, fix: string): never {
    this.request.report(offset, fact, fix);
    throw new ConversionStopped(fact);
  }
}

/** The nearest place around a path, as `line:column`. */
export function lineAndColumn(values: ConvertedValues, lines: LineCounter, path: Path, part: 'key' | 'value'): string {
  for (let length = path.length; length >= 0; length--) {
    const place = values.places.get(JSON.stringify(path.slice(0, length)));
    if (!place) continue;
    const offset = part === 'key' ? (place.key ?? place.value) : place.value;
    const { line, col } = lines.linePos(offset);
    return `${Math.max(1, line)}:${Math.max(1, col)}`;
  }
  return '1:1';
}

/** Problems in the order in which a reader meets them in one file. */
export function byPlace(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((left, right) => left.where.localeCompare(right.where, 'en', { numeric: true }));
}
