import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { warm } from './warm.mjs';

/** Zod for its many files, which cost more than all the rest; ollama for what it wakes; p-limit, since a script cannot require a module. */
const BUNDLED_PACKAGES = ['zod', 'ollama', 'whatwg-fetch', 'p-limit', 'yocto-queue'];
/** As deep as `src/config`, so that what the modules find beside themselves stays where it was. */
const CHUNKS = 'src/chunks';
const root = fileURLToPath(new URL('..', import.meta.url));
const policies = readdirSync(join(root, 'agents/policies')).filter((name) => name.endsWith('.ts'));
const MODULES = ['src/cli/program.ts', 'src/index.ts', 'src/testing.ts', ...policies.map((name) => `agents/policies/${name}`)];

/**
 * Bundles what ships, and further modules named from the root, to one script in a folder that has the shape of the root. V8 keeps the bytecode of a script,
 * not of a module: with `warm`, a start reads what the engine compiled here, once, in place of parsing and compiling it. Each entry is a small
 * module that hands on what the script holds under its name.
 */
export async function bundle(outdir, further = []) {
  const modules = [...MODULES, ...further];
  const script = await bundleScript(modules);
  mkdirSync(join(outdir, CHUNKS), { recursive: true });
  writeFileSync(join(outdir, CHUNKS, 'soloist.cjs'), inAscii(script), 'latin1');
  await bundleMain(outdir);
  cpSync(join(root, 'scripts/load-script.mjs'), join(outdir, CHUNKS, 'load-script.js'));
  cpSync(join(root, 'agents'), join(outdir, 'agents'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
  cpSync(join(root, 'src/view/page'), join(outdir, 'src/view/page'), { recursive: true });
  const { load } = await import(join(outdir, CHUNKS, 'load-script.js'));
  for (const module of modules) writeEntry(outdir, module, Object.keys(load(module)));
  warm(outdir);
}

const shared = {
  bundle: true,
  absWorkingDir: root,
  platform: 'node',
  target: 'node20',
  minifyWhitespace: true,
  lineLimit: 160,
  logLevel: 'warning',
};

/** The script is a function of what Node gives a module; `import()` cannot be in it (Node 20 forgets where a cached script came from). */
async function bundleScript(modules) {
  const entries = modules.map((module) => `${JSON.stringify(module)}: () => require('./${module}'),`);
  const { outputFiles } = await build({
    ...shared,
    stdin: { contents: `export const modules = {${entries.join('')}};`, resolveDir: root },
    write: false,
    format: 'cjs',
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
    banner: { js: '(function (module, require, importNatively, moduleUrl) {' },
    footer: { js: '})' },
    plugins: [packages, natively, withoutFetch],
  });
  return outputFiles[0].text;
}

/**
 * What esbuild leaves beyond ASCII, in expressions, as escapes: a script of one byte a sign is read in half the time and memory. In `String.raw` an escape
 * is no sign, but those texts become expressions too.
 */
function inAscii(script) {
  const [escaped] = script.match(/\\[\u0080-\uffff]/) ?? [];
  if (escaped)
    throw new Error(`${escaped} stands in an expression: leave out the backslash, the sign cannot be written as an escape behind it`);
  return script.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The command's own file, apart: it answers `--version` before the script is read. */
function bundleMain(outdir) {
  const program = {
    name: 'program',
    setup: ({ onResolve }) => onResolve({ filter: /\/program\.ts$/ }, () => ({ path: './program.js', external: true })),
  };
  return build({
    ...shared,
    entryPoints: ['src/cli/main.ts'],
    outfile: join(outdir, 'src/cli/main.js'),
    format: 'esm',
    plugins: [program, packages],
  });
}

/** Packages stay packages, but for those named. */
const packages = {
  name: 'packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || BUNDLED_PACKAGES.includes(path.split('/', 1)[0]) ? undefined : { path, external: true },
    ),
};

/** In place of the sources' own: what the loader gives the script. */
const natively = {
  name: 'natively',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/import-natively\.ts$/ }, () => ({
      contents: 'const load = importNatively; export { load as importNatively, load as importPackage };',
    })),
};

/** The ollama package looks whether its headers are a `Headers`, which they never are here: the look alone loads all of Node's fetch, 20 ms of a start. */
const withoutFetch = {
  name: 'without-fetch',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/whatwg-fetch\// }, () => ({ contents: '' }));
    onLoad({ filter: /\/ollama\/dist\/browser\.mjs$/ }, ({ path }) => ({ contents: `class Headers {}\n${readFileSync(path, 'utf8')}` }));
  },
};

function writeEntry(outdir, module, names) {
  const file = join(outdir, module.replace(/\.ts$/, '.js'));
  const loader = relative(dirname(file), join(outdir, CHUNKS, 'load-script.js')).replace(/^(?!\.)/, './');
  const lines = names.map((name) => (name === 'default' ? 'export default module.default;' : `export const ${name} = module.${name};`));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `import { load } from '${loader}';\nconst module = load('${module}');\n${lines.join('\n')}\n`);
}
