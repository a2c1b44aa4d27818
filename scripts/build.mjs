// Compiles src, tools and agents to dist/ and copies the YAML and Markdown that the compiled code reads.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
rmSync(`${root}dist`, { recursive: true, force: true });
const compiled = spawnSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', `${root}tsconfig.build.json`], {
  stdio: 'inherit',
  cwd: root,
});
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
cpSync(`${root}agents`, `${root}dist/agents`, { recursive: true, filter: (path) => !path.endsWith('.ts') });
chmodSync(`${root}dist/src/cli/main.js`, 0o755);
