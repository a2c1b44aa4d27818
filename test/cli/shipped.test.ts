import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as sources from '../../src/index.ts';
import * as testing from '../../src/testing.ts';

const dist = join(import.meta.dirname, '../../dist/src');

/** What a program prints that Node runs with flags; it has the modules of `dist` at hand as `part('index.js')`. */
async function ask(program: string, flags: readonly string[] = []): Promise<unknown> {
  const text = `const part = (path) => import(${JSON.stringify(`${dist}/`)} + path); console.log(JSON.stringify(await (async () => { ${program} })()))`;
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, '--input-type=module', '-e', text]);
  return JSON.parse(stdout);
}

const REJECTED = "const { script } = await part('chunks/load-script.js'); return script.cachedDataRejected;";

describe('what ships', () => {
  it('starts from the bytecode that the build left', async () => {
    expect(await ask(REJECTED)).toBe(false);
  });

  it('answers the same where the engine refuses the bytecode', async () => {
    const flags = ['--no-opt'];
    const program =
      "const { openProject } = await part('index.js'); const { agents, tools } = await openProject({ folder: 'examples/nightly-sales' }); return { agents, tools };";
    expect(await ask(REJECTED, flags)).toBe(true);
    expect(await ask(program, flags)).toEqual(await ask(program));
  });

  it('knows signs beyond ASCII', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'soloist-shipped-'));
    writeFileSync(join(folder, 'fees.csv'), 'id,fee\n1,€5\n2,€7\n');
    const sql = "{ sql: 'SELECT sum(fee) FROM fees' }";
    const program = `const { openProject } = await part('index.js'); const project = await openProject({ folder: ${JSON.stringify(folder)} }); return (await project.callTool('query_sql', ${sql})).data.rows;`;
    try {
      expect(await ask(program)).toEqual([[12]]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('exports what the sources export', async () => {
    const names = (path: string) => ask(`return Object.keys(await part('${path}')).sort()`);
    expect(await names('index.js')).toEqual(Object.keys(sources).sort());
    expect(await names('testing.js')).toEqual(Object.keys(testing).sort());
  });
});
