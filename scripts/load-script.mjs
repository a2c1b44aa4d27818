import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const file = new URL('./soloist.cjs', import.meta.url);
const module = { exports: {} };

/** All modules as one script, with the bytecode that the build left beside it. Another engine than the build's takes none of it and compiles the text. */
export const script = new Script(readFileSync(file, 'latin1'), { filename: fileURLToPath(file), cachedData: bytecode() });
script.runInThisContext()(module, createRequire(file), (url) => import(url), file.href);

/** The exports of one module, named from the root of the sources. */
export const load = (name) => module.exports.modules[name]();

function bytecode() {
  try {
    return readFileSync(new URL('./soloist.bytecode', import.meta.url));
  } catch {
    return undefined;
  }
}
