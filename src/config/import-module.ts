import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { importNatively, importPackage } from './import-natively.ts';

const EXPORTS = Symbol.for('soloist.exports');
const READY = Symbol.for('soloist.module-hooks');

/**
 * Runs on Node's loader thread, for files outside this package: `import 'soloist'` is answered with this very package,
 * already loaded, wherever the file lies; TypeScript without a package.json beside it counts as a module.
 */
const HOOKS = `
let names = [];
export function initialize(data) { names = data.names; }
export async function resolve(specifier, context, next) {
  if (specifier === 'soloist') return { url: 'soloist:exports', format: 'module', shortCircuit: true };
  const resolved = await next(specifier, context);
  return /^file:[^?#]*[.]ts([?#]|$)/.test(resolved.url) ? { ...resolved, format: 'module' } : resolved;
}
export async function load(url, context, next) {
  if (!url.startsWith('soloist:exports')) return next(url, context);
  const lines = names.map((name) => 'export const ' + name + ' = loaded.' + name + ';');
  const source = "const loaded = globalThis[Symbol.for('soloist.exports')];" + lines.join('');
  return { format: 'module', shortCircuit: true, source };
}`;

interface Registry {
  [EXPORTS]?: Readonly<Record<string, unknown>>;
  [READY]?: Promise<void>;
}

/**
 * Imports a JavaScript or TypeScript file of the user, with no build step. In it `import … from 'soloist'` gives this
 * package, the same `z` and `defineTool` that run now.
 */
export async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  await prepare();
  const url = pathToFileURL(file).href;
  if (!/\.m?ts$/.test(file)) return importNatively(url);
  const { register: registerTypeScript } = (await importPackage('tsx/esm/api')) as typeof import('tsx/esm/api');
  typeScript ??= registerTypeScript({ namespace: 'soloist', tsconfig: false });
  return (await typeScript.import(url, import.meta.url)) as Record<string, unknown>;
}

let typeScript: { import: (specifier: string, parent: string) => Promise<unknown> } | undefined;

function prepare(): Promise<void> {
  const registry = globalThis as Registry;
  registry[READY] ??= (async () => {
    // The package's own entry, whose ending depends on whether it was compiled.
    const entry = (ending: string): string => new URL(`../index.${ending}`, import.meta.url).href;
    const loaded = import.meta.url.endsWith('.ts') ? await import(entry('ts')) : await importNatively(entry('js'));
    registry[EXPORTS] = loaded;
    register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
      data: { names: Object.keys(loaded).filter((name) => name !== 'default') },
    });
  })();
  return registry[READY];
}
