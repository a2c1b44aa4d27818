// Bundles the loop as it ships to built/, for peers/soloist: `node bench/overhead/build-loop.mjs [folder]`.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, 'built'));
rmSync(folder, { recursive: true, force: true });
await bundle(folder, ['bench/overhead/loop.ts']);
