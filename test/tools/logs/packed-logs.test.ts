import { describe, expect, it } from 'vitest';
import { searchLogs } from '../../../tools/logs/search-logs.ts';
import { summarizeLog } from '../../../tools/logs/summarize-log.ts';
import { callOver } from '../artifacts/call-tool.ts';

/** Made with `zstd -19`; the text has a blank second line, an error on the third and its exception on the sixth. */
const LINES =
  'KLUv/SS3LQQA4ggdGVC1DiCcLfpCSB89Kv8N2SIgrg1tR9W4tQYv4ovxQrcqpafQulEXS26tw+LUWvUQ6DKCs5j/RSFrsr5WOZ8tnRQ/axcLfk050Slx9IDpUAKndZL51dy0X3vogaCleC9jmbU/jNO8u2F37I5F3+jh6AEx2ggEAFaDvEAVM0AQPJ56Ar8f3Bo=';
/** The same with CR LF at line ends. */
const WINDOWS =
  'KLUv/SS9VQQAQkkeGUC1DvCMrm+CVlzJqg7iPeghlcRsjPLzmBwwTqxhvNjuUglGxd6O0rDkmXVZ3GbWvQS+jfAs5odxCpmj9/fS+pzZavEzp2HBr0onWymOYASmSwrc3onmV7XjrmWHHghaChhhzJhm7g/jNO9u2T27Z9E3ejh6QIw2AgQAb4M8YRUzQBBOnnoCDy/eUA==';
/** One error in Latin-1: "café". */
const LATIN = 'KLUv/SQjGQEAMjAyNi0wMy0wMiAwMTowMDowMCwwMDAgRVJST1IgY2Fm6Qo3x+eb';

const packed = (base64: string): Buffer => Buffer.from(base64, 'base64');

describe('a log packed with zstd', () => {
  it.each([
    ['line feeds', LINES],
    ['carriage returns and line feeds', WINDOWS],
  ])('is read as the log that it holds, with %s', async (_, base64) => {
    const { data, complete } = await callOver(summarizeLog, { 'a.log.zst': packed(base64) }, {}, 'logs');
    expect(complete).toBe(true);
    expect(data.totals).toMatchObject({ lines: 6, records: 2, by_level: { info: 1, error: 1 } });
    expect(data.first_error).toMatchObject({ time: '2026-03-02T01:00:01.000Z', line: 3 });
    expect(data.exceptions.items[0]).toMatchObject({ root: 'ValueError: no such table', line: 3 });
    const found = await callOver(searchLogs, { 'a.log.zst': packed(base64) }, { pattern: 'ValueError' }, 'logs');
    expect(found.data.matches).toMatchObject([{ file: 'a.log.zst', line: 6 }]);
  });

  it('is read whatever its name, and as Latin-1 where it is not UTF-8', async () => {
    const { data } = await callOver(summarizeLog, { 'a.log': packed(LATIN) }, {}, 'logs');
    expect(data.first_error).toMatchObject({ text: 'café' });
  });

  it('is said to be cut where its end is missing', async () => {
    const { data, complete } = await callOver(summarizeLog, { 'a.log.zst': packed(LINES).subarray(0, -9) }, {}, 'logs');
    expect(complete).toBe(false);
    expect(data.files.items[0].problem).toMatch(/damaged or cut|could not be read to its end/);
  });
});

describe('a log packed in another way', () => {
  it.each([
    ['lz4', '04224d186440a7', 'lz4 -d'],
    ['xz', 'fd377a585a000004', 'xz -dk'],
    ['bzip2', '425a6839314159265359', 'bzip2 -dk'],
    ['snappy', 'ff060000734e61507059', 'snzip -dk'],
    ['zip', '504b030414000000', 'unzip'],
  ])('is refused with the command that unpacks it: %s', async (name, hex, command) => {
    const { data, complete } = await callOver(summarizeLog, { 'task.log': Buffer.from(`${hex}00112233`, 'hex') }, {}, 'logs');
    expect(complete).toBe(false);
    expect(data.files.items[0].problem).toContain(`is compressed with ${name}`);
    expect(data.files.items[0].problem).toContain(command);
  });
});
