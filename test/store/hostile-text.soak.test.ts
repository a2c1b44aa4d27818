import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/store/redact-secrets.ts';

describe('hostile text', () => {
  const SIZE = 1_000_000;
  const seeds = [
    'a.', 'a-', '_', '://', 'a://b:', ':/', '@', 'eyJ', '-eyJa', 'eyJaaaaaaaa.', 'sk-', 'sk-a1', '-----BEGIN PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n', 'password', 'password=', 'password="', 'token:"\\', 'token\\\\\\', 'bearer ', 'bearer a', 'authorization: ', 'authorization: basic ',
    '?sig=', '--token ', 'token = ', 'xoxb-', 'AKIA', '"', '\\', '\\"', ' ', 'A', '0', 'a@', 'a@a.', '10.1.', '1:', 'curl -u ', 'machine a login a ', 'create user a ', 'cookie: a=', 'a.internal.', '_internal ', 'password=\\"a\\',
    'password a ', 'password is ', 'password aaaa', 'token is ', '<password>', '<password>a', 'pass:', 'mysql ', 'mysql -p', 'sqlplus a', 'redis-cli -', 'A_', 'Private-Lines: 1\n',
    'Private-Lines: 1\naaaaaaaaaaaaaaaaaaaa\n', 'fd00:', 'é@é.', 'a.corp.a.', '?key=a1',
  ]; // biome-ignore format: a list
  // Not timed: over a million characters, a pattern of quadratic time would not come back at all.
  it.each(seeds)('of 1 MB is worked through to its end: %j', (seed) => {
    const text = `${seed.repeat(Math.ceil(SIZE / seed.length))}"\n db_password=hunter2`;
    expect(redactSecrets(text)).not.toContain('hunter2');
  });
});
