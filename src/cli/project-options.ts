import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { WorkspaceOptions } from '../app/workspace.ts';
import type { CliServices } from './services.ts';

/** Adds `--project` and `--source` to a verb, so that they may stand before or after it. */
export function withProjectOptions(command: Command): Command {
  return command
    .option('--project <dir>', 'the project folder (default: the current folder)')
    .option('--source <spec>', 'a source as [NAME=]KIND:PATH; repeatable', (value: string, before: readonly string[] = []) => [
      ...before,
      value,
    ]);
}

/** What a verb was told of its project, whichever side of the verb it stood on. */
export function projectOptions(command: Command, services: CliServices): WorkspaceOptions {
  const own = command.opts() as { project?: string; source?: string[] };
  const outer: { project?: string; source?: string[] } = command.parent ? (rootOf(command).opts() as typeof own) : {};
  return {
    folder: resolve(services.cwd, own.project ?? outer.project ?? '.'),
    sourceFlags: [...(outer.source ?? []), ...(own.source ?? [])],
    environment: services.environment,
  };
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}
