import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const file = new URL('./soloist.cjs', import.meta.url);
const module = { exports: {} };

/** The bytecode that this very engine left when the package was built; another has none of its own, and compiles the text. */
export const bytecodeFile = new URL(`./soloist-${process.version}-${process.platform}-${process.arch}.bytecode`, import.meta.url);

/** All modules as one script. */
export const script = new Script(readFileSync(file, 'latin1'), { filename: fileURLToPath(file), cachedData: bytecode() });
script.runInThisContext()(module, createRequire(file), (url) => import(url), file.href);

/** The exports of one module, named from the root of the sources. */
export const load = (name) => module.exports.modules[name]();

function bytecode() {
  try {
    return readFileSync(bytecodeFile);
  } catch {
    return undefined;
  }
}
