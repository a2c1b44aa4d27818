import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { openProjectMemory, type ProjectMemory } from '../app/memory-project.ts';
import { openWorkspace, type Workspace } from '../app/workspace.ts';
import { SoloistError } from '../core/errors.ts';
import { projectOptions, withProjectOptions } from './project-options.ts';
import type { CliServices } from './services.ts';

/** What a verb of memory works with; it answers what is printed. */
export interface VerbCall {
  readonly workspace: Workspace;
  readonly memory: ProjectMemory;
  readonly now: Date;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly args: readonly unknown[];
  readonly services: CliServices;
}

type Shape = (command: Command) => Command;
type Work = (call: VerbCall) => Promise<string>;

/** Registers a verb: its name, what it does, its arguments and options; then its work. */
export type Verb = (name: string, description: string, shape?: Shape) => (work: Work) => void;

/** Opens the project and its memory, which catches up with the log as far as no model is needed, for each verb below `parent`. */
export function memoryVerb(parent: Command, services: CliServices): Verb {
  return (name, description, shape = (command) => command) =>
    (work) => {
      const command = withProjectOptions(shape(parent.command(name).description(description)).option('--json', 'print one JSON object'));
      command.action(async (...given: unknown[]) => {
        const self = given.at(-1) as Command;
        const workspace = await openWorkspace(projectOptions(self, services));
        const memory = await openProjectMemory(workspace);
        try {
          await memory.catchUp();
          const call = { workspace, memory, now: new Date(), flags: self.opts(), args: given.slice(0, -2), services };
          const text = await work(call);
          services.out(name === 'export' || call.flags.json === true ? text : withoutControls(text));
        } finally {
          await memory.close();
          await workspace.close();
        }
      });
    };
}

/** Notes may hold anything: what would steer a terminal is left out of text. JSON says it with escapes, and has to stay what it is. */
function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** The answer as JSON where that was asked for, else as text. */
export function printAs<Answer>(flags: Readonly<Record<string, unknown>>, answer: Answer, print: (answer: Answer) => string): string {
  return flags.json === true ? `${JSON.stringify(answer)}\n` : print(answer);
}

/** Asks at the terminal; without one the answer is no. */
export async function confirm(question: string, { note }: CliServices): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    note('');
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

/** @throws SoloistError `not_found` for a file that cannot be read. */
export async function readTextFrom(file: string): Promise<string> {
  if (file === '-') {
    const parts: Buffer[] = [];
    for await (const part of process.stdin) parts.push(part as Buffer);
    return Buffer.concat(parts).toString('utf8');
  }
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SoloistError('not_found', `the file cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`, {
      where: file,
      fix: 'check the path',
    });
  }
}

export function integer(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) throw new InvalidArgumentError('write a whole number from 1.');
  return Number(text);
}
