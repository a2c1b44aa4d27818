import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CaseSpec, CheckSpec } from '../bench/suite-spec.ts';
import { importModule } from '../config/import-module.ts';
import { SoloistError } from '../core/errors.ts';
import { suggestName } from '../core/nearest.ts';

/** What a generator answers: texts and figures for the placeholders of task and checks. */
export type Facts = Readonly<Record<string, unknown>>;

/** The data of a case as made for one seed. */
export interface CaseData {
  readonly task: string;
  /** Fills in placeholders of a text of the suite. */
  readonly fill: (text: string) => string;
  /** As `--source` takes them, with absolute paths. */
  readonly sources: readonly string[];
  readonly expect: readonly CheckSpec[];
  readonly facts: Facts;
  remove(): void;
}

/**
 * Makes the data of a case and fills in its placeholders.
 *
 * @throws SoloistError `configuration` when the generator fails or a placeholder has no value.
 */
export async function makeCaseData(caseSpec: CaseSpec, seed: number, suiteFolder: string): Promise<CaseData> {
  const { setup } = caseSpec;
  const folder = setup ? mkdtempSync(join(tmpdir(), 'soloist-case-')) : undefined;
  const remove = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const facts = setup && folder !== undefined ? await generate(setup, folder, seed) : {};
    const fill = (text: string): string => fillText(text, facts, caseSpec.id);
    return {
      task: fill(caseSpec.task),
      fill,
      sources: caseSpec.sources.map((source) => absoluteSource(source, folder ?? suiteFolder)),
      expect: caseSpec.expect.map((check) => fillCheck(check, facts, caseSpec.id)),
      facts,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function generate(setup: NonNullable<CaseSpec['setup']>, folder: string, seed: number): Promise<Facts> {
  const module = await importModule(setup.generator);
  if (typeof module.generate !== 'function')
    throw new SoloistError('configuration', 'the file exports no function `generate`', { where: setup.generator });
  try {
    const facts: unknown = await module.generate({ folder, seed, parameters: setup.parameters });
    return typeof facts === 'object' && facts !== null ? (facts as Facts) : {};
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new SoloistError('configuration', `the generator failed: ${message}`, { where: setup.generator, cause: error });
  }
}

const URL_KINDS = /^(?:[\w-]+=)?(?:airflow|postgres):/;

function absoluteSource(source: string, folder: string): string {
  const [, head, path] = /^((?:[\w-]+=)?[a-z-]+:)(.*)$/.exec(source) ?? [];
  return head === undefined || path === undefined || URL_KINDS.test(source) ? source : `${head}${resolve(folder, path)}`;
}

const PLACEHOLDER = /\{\{(\w+)\}\}/g;

function fillText(text: string, facts: Facts, where: string, shown: (value: string) => string = (value) => value): string {
  return text.replace(PLACEHOLDER, (_, name: string) => shown(textOf(factNamed(facts, name, where))));
}

function factNamed(facts: Facts, name: string, where: string): unknown {
  if (Object.hasOwn(facts, name)) return facts[name];
  throw new SoloistError('configuration', `case ${where}: the generator answers nothing named "${name}"`, {
    fix: suggestName(name, Object.keys(facts)),
  });
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** A text that is nothing but a placeholder of a list stands for all of its items. */
function fillTexts(texts: readonly string[], facts: Facts, where: string): string[] {
  return texts.flatMap((text) => {
    const name = /^\{\{(\w+)\}\}$/.exec(text)?.[1];
    const value = name === undefined ? undefined : factNamed(facts, name, where);
    return Array.isArray(value) ? value.map(String) : [fillText(text, facts, where)];
  });
}

function fillCheck(check: CheckSpec, facts: Facts, where: string): CheckSpec {
  const fill = (text: string): string => fillText(text, facts, where);
  const pattern = (text: string): string => fillText(text, facts, where, (value) => value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  switch (check.kind) {
    case 'contains':
    case 'any_of':
    case 'must_not':
      return { ...check, texts: fillTexts(check.texts, facts, where) };
    case 'regex':
      return { ...check, pattern: pattern(check.pattern) };
    case 'json':
      return { ...check, equals: typeof check.equals === 'string' ? fill(check.equals) : check.equals };
    case 'number':
      return {
        ...check,
        value: typeof check.value === 'string' ? fill(check.value) : check.value,
        near: check.near === undefined ? undefined : pattern(check.near),
      };
    case 'set':
      return {
        ...check,
        items: fillTexts([check.items].flat(), facts, where)
          .flatMap((item) => item.split(/\s*,\s*/))
          .filter((item) => item !== ''),
        pattern: pattern(check.pattern),
      };
    case 'judge':
      return { ...check, question: fill(check.question) };
    default:
      return check;
  }
}
