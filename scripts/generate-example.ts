// Writes examples/nightly-sales anew, or a copy of it into the folder named: npx tsx scripts/generate-example.ts [FOLDER]
import { fileURLToPath } from 'node:url';
import { writeExample } from './example/write-example.ts';

const given = fileURLToPath(new URL('../examples/nightly-sales', import.meta.url));
await writeExample(given, process.argv[2] ?? given);
