import { afterAll, describe, expect, it } from 'vitest';
import { redactSecrets } from '../../src/store/redact-secrets.ts';
import { SECRET_PATTERNS } from '../../src/store/secret-patterns.ts';
import { bytesOf, cleanUp, eventAt, newFolder, opened, openLog, said } from './log-folder.ts';

afterAll(cleanUp);

/** Made up, and put together here, so that no scanner of this repository takes them for real ones. */
const hex = '0123456789abcdef';
const mixed = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY';
const secrets: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ['url_password', 'postgresql://loader:', 'p4ss:w@rd', '@db.internal:5432/sales'],
  ['url_password', 'redis://:', 'only-a-password', '@cache:6379/0'],
  ['url_signature', 'https://b.s3.amazonaws.com/k?X-Amz-Date=20261130T060000Z&X-Amz-Signature=', hex.repeat(4), '&x=1'],
  ['aws_access_key', 'key AKIA'.slice(0, 4), `AKIA${'ABCD1234'.repeat(2)}`, ' used'],
  ['github_token', 'push with ', `ghp_${mixed}abcd`, ''],
  ['github_token', '', `github_pat_${mixed}`, ' denied'],
  ['gitlab_token', 'clone ', `glpat-${mixed.slice(0, 20)}`, ''],
  ['slack_token', 'notify ', `xoxb-${'123456789012-'.repeat(2)}abcDEF`, ''],
  ['slack_webhook', 'POST https://hooks.slack.com/services/', 'T0001/B0002/abcdefGHIJ', ' 404'],
  ['stripe_key', 'with ', `sk_live_${mixed.slice(0, 24)}`, ''],
  ['openai_key', 'key ', `sk-proj-${mixed}`, ' rejected'],
  ['openai_key', 'key ', `sk-or-v1-${hex.repeat(4)}`, ''],
  ['google_api_key', '', `AIza${mixed}abc`, ''],
  ['databricks_token', 'host ', `dapi${hex.repeat(2)}`, ''],
  ['hugging_face_token', 'hub ', `hf_${'abcDEFghij'.repeat(4)}`, ''],
  ['jwt', 'cookie ', `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${mixed}`, '; path=/'],
  ['authorization', 'Authorization: Basic ', 'bG9hZGVyOnBhc3M=', ''],
  ['authorization', '{"authorization": "Bearer ', 'opaque', '"}'],
  ['bearer', 'sent bearer ', mixed, ' and got 401'],
  ['flag', 'mysql --user loader --password ', 'hunter2', ' sales'],
  ['named_secret', 'password=', 'hunter2', ' host=db'],
  ['named_secret', 'password=', '12345678', ';host=db'],
  ['named_secret', 'DB_PASSWORD: ', 'correct-horse', '\nDB_HOST: db'],
  ['named_secret', 'Server=db;Uid=loader;Pwd=', 'hunter2', ';Encrypt=yes'],
  ['named_secret', '{"api_key": ', '"abc123def"', ', "page": 2}'],
  ['named_secret', 'x-api-key: ', 'abc123def', ''],
  ['named_secret', 'aws_secret_access_key = ', `${mixed}/+abcdef`, '\nregion = eu-west-1'],
  ['named_secret', "client_secret='", 'two words and more', "', tenant='t'"],
  ['named_secret', 'AccountName=lake;AccountKey=', `${mixed}==`, ';EndpointSuffix=core.windows.net'],
  ['named_secret', 'https://api.example.com/v1?token=', 'abcdef123456', '&page=2'],
  ['named_secret', 'refresh_token => ', 'abcdef123456', ''],
  ['private_key', 'wrote ', `-----BEGIN RSA PRIVATE KEY-----\n${`${mixed}${mixed}\n`.repeat(20)}-----END RSA PRIVATE KEY-----`, '\ndone'],
  [
    'private_key',
    '{"key": "',
    `-----BEGIN PRIVATE KEY-----\\n${mixed}\\n${mixed}==\\n-----END PRIVATE KEY-----\\n`.slice(0, -2),
    '", "id": 7}',
  ],
  ['private_key', 'cut short: ', `-----BEGIN OPENSSH PRIVATE KEY-----\n${mixed}${mixed}`, ''],
];

const harmless = [
  '12 of 16 slots, 6494.8 s against 2290.2 s, 2.84 times, 297015 and 9223372036854775807',
  '2026-11-30T06:00:00.123456+00:00 run scheduled__2026-11-30T05:00:00+00:00 s-0kq3v8m2a-x7f2',
  'inputTokens: 12345, outputTokens=678, max_tokens: 4096, "cachedTokens":12',
  'token: 12345678, last token = 2026-11-30, secret: 4711.5',
  'syntax error: unexpected token: customer_identifier near line 4',
  'pk_dim_customer_snapshot_daily, sk_customer_dimension_key_2024, sk-dim-customer-history-daily-v2, rk_orders_to_customers_link',
  '3f2b8c1e-9a4d-4e6f-8b7a-0c1d2e3f4a5b 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'password authentication failed for user "loader"; the password is required',
  'column password VARCHAR, "password": null, "token": true, secret=None, api_key: string',
  'password=${DB_PASSWORD} token={{ var.value.token }} secret=*** pwd=<hidden> password=$PGPASSWORD',
  'primary_key=customer_id, partition_key: day, sort_key=created_at, foreign key orders_customer_id_fkey',
  'https://example.com:8080/a@b/c s3://bucket/key@v2 git@github.com:owner/repository.git airflow://host/path',
  'basic transformation_of_orders_2026 and a bearer of bad news',
  'the secretary tokenized the passwordless monkey: tokenizer=bpe',
  'AKIAlooksnothing, task_extract_eyJ, ghp_short, xox, AIza',
];

describe('redaction', () => {
  it.each(secrets)('takes out %s', (kind, before, secret, after) => {
    expect(redactSecrets(before + secret + after)).toMatch(new RegExp(`\\[redacted:${kind}\\]`));
    for (const text of [before + secret + after, `a line before\n${before}${secret}${after}`]) {
      expect(redactSecrets(text)).not.toContain(secret.replaceAll('"', '').slice(-7));
      expect(redactSecrets(text).endsWith(after)).toBe(true);
    }
  });

  it.each(secrets)('is the same the second time: %s', (_kind, before, secret, after) => {
    const once = redactSecrets(before + secret + after);
    expect(redactSecrets(once)).toBe(once);
  });

  it.each(harmless)('leaves alone: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });

  it('has a tested example of every kind', () => {
    const tested = new Set(secrets.map(([kind]) => kind));
    expect(SECRET_PATTERNS.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it('takes out each of several', () => {
    expect(redactSecrets('password=hunter2 then password=hunter3, token: abcdef1')).toBe(
      'password=[redacted:named_secret] then password=[redacted:named_secret], token: [redacted:named_secret]',
    );
  });

  it('does not blow up on texts made to slow it down', () => {
    const pieces = [
      'eyJ-',
      'eyJaaaaaaaa.',
      'sk-a',
      '://a:',
      '-----BEGIN PRIVATE KEY-----',
      'token=',
      'token= ',
      'password:"a\\',
      'bearer a',
      ' ',
      '--token ',
    ];
    for (const piece of pieces) {
      const steps = (size: number): number => {
        const text = piece.repeat(size / piece.length);
        const start = process.cpuUsage();
        redactSecrets(text);
        const { user, system } = process.cpuUsage(start);
        return user + system;
      };
      steps(20_000);
      // Ten times the text in a quadratic pattern takes a hundred times as long, seconds; the bound is on the kind of growth.
      expect(steps(400_000), piece).toBeLessThan(Math.max(steps(40_000) * 60, 1_500_000));
    }
  });
});

describe('the log', () => {
  it('keeps secrets of a question, a call, a result and a payload out of its files', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    const secret = 'hunter2hunter2';
    log.putBlob(`rows\npassword=${secret}\n`);
    log.append([
      eventAt(0, opened(`why does postgres://u:${secret}@db/sales fail?`)),
      eventAt(1, {
        type: 'tool.called',
        callId: 'c',
        resultId: 'R1',
        tool: 't',
        arguments: { deep: [{ api_key: secret, limit: 12345678 }] },
      }),
      eventAt(2, said(`${'password='}${secret} `.repeat(3000))),
    ]);
    expect(bytesOf(folder).includes(secret)).toBe(false);
    const bodies = [...log.read('s1')].map(({ body }) => body);
    expect(bodies[1]).toMatchObject({ arguments: { deep: [{ api_key: '[redacted:named_secret]', limit: 12345678 }] } });
    expect(bodies[2]).toEqual(said('password=[redacted:named_secret] '.repeat(3000)));
    expect(log.listSessions(1)[0]?.question).toBe('why does postgres://u:[redacted:url_password]@db/sales fail?');
  });

  it('runs a redaction of ours over every string and nothing else', async () => {
    const seen: string[] = [];
    const log = await openLog({
      redact: (text) => {
        seen.push(text);
        return text.replaceAll('Ada', '[person]');
      },
    });
    log.append([
      eventAt(0, { type: 'tool.called', callId: 'c', resultId: 'R1', tool: 't', arguments: { name: 'Ada', count: 3, list: ['of Ada'] } }),
    ]);
    expect([...log.read('s1')][0]?.body).toMatchObject({ arguments: { name: '[person]', count: 3, list: ['of [person]'] } });
    expect(seen).toEqual(['tool.called', 'c', 'R1', 't', 'Ada', 'of Ada']);
  });
});
