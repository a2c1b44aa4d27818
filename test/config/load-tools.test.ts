import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { loadToolFiles } from '../../src/config/load-tools.ts';
import { formatProblem } from '../../src/core/errors.ts';
import { folderWith, removeFolders } from './project-folder.ts';

afterAll(removeFolders);

const toolText = (name: string, declaration = 'export const tool') => `import { complete, defineTool, z } from 'soloist';
${declaration} = defineTool({
  name: '${name}',
  description: 'Doubles.',
  effect: 'read',
  input: z.object({ n: z.number() }),
  output: z.object({ twice: z.number() }),
  run: async ({ n }) => complete({ twice: double(n) }),
});
`;
const TYPED = `import { double } from './double.ts';\ninterface Unused { readonly a: number }\n`;
const PLAIN = 'const double = (n) => 2 * n;\n';

async function load(files: Readonly<Record<string, string>>, names: readonly string[]) {
  const folder = folderWith(files);
  const { tools, problems } = await loadToolFiles(
    names.map((name) => join(folder, name)),
    folder,
  );
  return { folder, tools, lines: problems.map(formatProblem) };
}

it('loads TypeScript and JavaScript from a folder without node_modules or package.json', async () => {
  const { tools, lines } = await load(
    {
      'double.ts': 'export const double = (n: number): number => 2 * n;\n',
      'a.ts': TYPED + toolText('in_ts'),
      'b.mts': `${TYPED + toolText('in_mts', 'const tool: unknown')}export default tool;\n`,
      'c.js': PLAIN + toolText('in_js'),
      'd.mjs': `${PLAIN + toolText('in_mjs')}export const again = tool;\n`,
    },
    ['a.ts', 'b.mts', 'c.js', 'd.mjs'],
  );
  expect(lines).toEqual([]);
  expect(tools.map(({ tool }) => tool.name)).toEqual(['in_ts', 'in_mts', 'in_js', 'in_mjs']);
  for (const { tool } of tools) {
    // The same zod as ours, not a copy that lies beside the file.
    expect(tool.input).toBeInstanceOf(z.ZodObject);
    expect(await tool.run({ n: 21 }, {} as never)).toMatchObject({ status: 'ok', data: { twice: 42 } });
  }
});

it('reports each file that cannot be used, and loads the rest', async () => {
  const { tools, lines, folder } = await load(
    {
      'boom.ts': 'const a: number = 1;\n\nthrow new Error("no disk");\n',
      'boom.js': '\n  throw new Error("no disk");\n',
      'syntax.ts': 'const a = 1;\nconst b = ;\n',
      'missing.ts': "import { x } from './nowhere.ts';\nexport const y = x;\n",
      'empty.ts': 'export const answer = 42;\n',
      'badname.mjs': PLAIN + toolText('Bad-Name'),
      'good.ts': TYPED.replace('double.ts', 'd.ts') + toolText('good'),
      'd.ts': 'export const double = (n: number) => n;\n',
      'twin.js': PLAIN + toolText('good'),
    },
    ['boom.ts', 'boom.js', 'syntax.ts', 'missing.ts', 'empty.ts', 'badname.mjs', 'good.ts', 'twin.js'],
  );
  expect(tools.map(({ file }) => file)).toEqual([join(folder, 'good.ts')]);
  expect(lines).toHaveLength(7);
  expect(lines[0]).toMatch(/^boom\.ts:\d+:\d+: the file fails when it is loaded: no disk; /);
  expect(lines[1]).toBe('boom.js:2:9: the file fails when it is loaded: no disk; correct it, or take it out of the tools');
  expect(lines[2]).toBe('syntax.ts:2:11: the file cannot be read: Unexpected ";"; correct the syntax');
  expect(lines[3]).toMatch(/^missing\.ts:1:1: the file fails when it is loaded: Cannot find module .*nowhere\.ts/);
  expect(lines[4]).toBe('empty.ts:1:1: the file exports no tool; export one made with defineTool');
  expect(lines[5]).toContain('tool name "Bad-Name" is not snake_case');
  expect(lines[6]).toBe('twin.js:4:10: tool "good" is already defined in good.ts; rename one of them');
});

it('loads them in a plain Node process too, with the right line of a TypeScript error', () => {
  const folder = folderWith({
    'double.ts': 'export const double = (n: number): number => 2 * n;\n',
    'a.ts': TYPED + toolText('in_ts'),
    'boom.ts': 'interface A {\n  readonly a: number;\n}\n\nthrow new Error("no disk");\n',
  });
  const module = new URL('../../src/config/load-tools.ts', import.meta.url).href;
  const script = `const { loadToolFiles } = await import(${JSON.stringify(module)});
const { tools, problems } = await loadToolFiles(['a.ts', 'boom.ts'].map((name) => ${JSON.stringify(`${folder}/`)} + name), ${JSON.stringify(folder)});
const { defineTool, z } = await import(${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)});
process.stdout.write(JSON.stringify([tools.map(({ tool }) => [tool.name, tool.input instanceof z.ZodObject]), problems.map((one) => one.where)]));`;
  const tsx = fileURLToPath(new URL('../../node_modules/tsx/dist/cli.mjs', import.meta.url));
  const result = spawnSync(process.execPath, [tsx, '--input-type=module', '-e', script], { encoding: 'utf8', cwd: folder });
  expect(result.stderr).toBe('');
  expect(JSON.parse(result.stdout)).toEqual([[['in_ts', true]], ['boom.ts:5:7']]);
});
