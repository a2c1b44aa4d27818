import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { redactionOf, redactSecrets, SHIPPED_PATTERNS } from '../../src/store/redact-secrets.ts';
import { bytesOf, cleanUp, eventAt, newFolder, opened, openLog, said } from './log-folder.ts';

afterAll(cleanUp);

const random = 'x7Qm2Rk9Zp4Lw8Vt3Yb6Nc1Hd5Jf0Gs';
const hex = '0123456789abcdef'.repeat(3);

/** For each kind, texts and the part of each that must not be kept. Put together here, so that no scanner takes this file for a leak. */
const PLANTED: Readonly<Record<string, readonly (readonly [text: string, secret: string])[]>> = {
  url_password: [
    [`postgresql://etl:${random}@db.internal:5432/sales`, random],
    [`redis://:${random}@cache/0`, random],
    ['mysql+pymysql://root:p@ss%20w0rd!@host/db', 'w0rd!'],
  ],
  url_signature: [
    [`https://acc.blob.core.windows.net/c/f.csv?sv=2022&sig=${random}%3D&se=2026`, random],
    [`https://s3.amazonaws.com/b/k?X-Amz-Signature=${hex}&x=1`, hex],
  ],
  aws_access_key: [
    [`AKIA${'IOSFODNN7EXAMPLE'}`, 'IOSFODNN7'],
    [`ASIA${'Y34FZKBOKMUTVV7A'}`, 'Y34FZKBOK'],
  ],
  github_token: [
    [`ghp_${random}${'abcde'}`, random],
    [`github_pat_11ABCDEFG0${random}_tail`, random],
  ],
  gitlab_token: [[`glpat-${random}`, random]],
  slack_token: [[`xoxb-${'123456789012'}-${random}`, random]],
  slack_webhook: [[`https://hooks.slack.com/services/T0001/B0002/${random}`, random]],
  stripe_key: [
    [`sk_live_${random}`, random],
    [`rk_test_${random}`, random],
  ],
  openai_key: [
    [`sk-${random}${random}`, random],
    [`sk-proj-${random}`, random],
    [`sk-ant-api03-${random}`, random],
    [`sk-or-v1-${hex}`, hex],
  ],
  google_api_key: [[`AIza${random}ABCD`, random]],
  databricks_token: [[`dapi${hex.slice(0, 32)}`, hex.slice(0, 32)]],
  hugging_face_token: [[`hf_${'QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi'}`, 'UiOpAsDfGh']],
  jwt: [[`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${random}`, random]],
  authorization: [
    ['Authorization: Basic dXNlcjpodW50ZXI=', 'dXNlcjpodW50ZXI='],
    [`{"authorization": "Bearer ${random}"}`, random],
  ],
  bearer: [[`curl -H "bearer ${random}"`, random]],
  flag: [
    ['mysql --password hunter2secret --host db', 'hunter2secret'],
    [`run --token ${random}`, random],
  ],
  named_secret: [
    ['password=hunter2', 'hunter2'],
    ['db_password: 12345678', '12345678'],
    ['Server=db;Uid=etl;Pwd=hunter2;Encrypt=yes', 'hunter2'],
    ["PGPASSWORD='two words'", 'two words'],
    ['db_password: "with, comma; and space"', 'comma; and space'],
    [`{"client_secret":"${random}","x":1}`, random],
    [`export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCY`, 'bPxRfiCY'],
    [`X-Api-Key: ${random}`, random],
    [`AccountKey=${random}==;EndpointSuffix=core`, random],
    [`token=${random}`, random],
    [`settings = {'access_token' => '${random}'}`, random],
    [`SECRET_KEY='${random}'`, random],
    [`AIRFLOW__CORE__FERNET_KEY=${random}`, random],
    [`API key: ${random}`, random],
    [`Kennwort: ${random}`, random],
    ['Passwort=tigerhai', 'tigerhai'],
    ['<password>tigerhai</password>', 'tigerhai'],
    [`<conn:api-key>${random}</conn:api-key>`, random],
    ['DB_PASS=tigerhai', 'tigerhai'],
    ['DB_PASS=2024!Summer', '2024!Summer'],
    ['pass: 99!Balloons', '99!Balloons'],
    ['login: etl, pw: tiger4hai', 'tiger4hai'],
    ['"db_pass": "tiger4hai"', 'tiger4hai'],
  ],
  told_secret: [
    ['the password is tiger4hai', 'tiger4hai'],
    ['the password for the user etl on staging is tiger!hai, and', 'tiger!hai'],
    ['password was changed to tiger4hai.', 'tiger4hai'],
    ["we set the password to 'tigerhai'", 'tigerhai'],
    ['log in with user etl and password tiger4hai', 'tiger4hai'],
    ['das Passwort lautet tiger4hai', 'tiger4hai'],
    [`my api key is ${random}`, random],
    [`The AWS secret key for the etl user is ${random}.`, random],
    [`the new token is now "${random}"`, random],
  ],
  url_key: [[`https://api.example.org/v1?key=${random}&x=1`, random]],
  command_login: [
    ['mysql -u root -ptigerhai -h db.example.org', 'tigerhai'],
    ['sshpass -p tigerhai ssh etl@example.org', 'tigerhai'],
    ['docker login -u etl -p tigerhai registry.example.org', 'tigerhai'],
    ['redis-cli -h cache -a tigerhai ping', 'tigerhai'],
    ['sqlplus etl/tigerhai@PROD', 'tigerhai'],
  ],
  anaconda_token: [[`https://conda.anaconda.org/t/at-${'12345678-1234-1234-1234-123456789abc'}/org`, '123456789abc']],
  atlassian_token: [[`ATATT3x${random}`, random]],
  age_key: [[`AGE-SECRET-KEY-1${random.toUpperCase()}`, random.toUpperCase()]],
  dbt_cloud_token: [[`dbtc_${random}`, random]],
  digitalocean_token: [[`dop_v1_${hex}`, hex]],
  docker_token: [[`dckr_pat_${random}`, random]],
  doppler_token: [[`dp.pt.${random}`, random]],
  google_oauth: [[`ya29.${random}`, random]],
  google_client_secret: [[`GOCSPX-${random}`, random]],
  grafana_token: [[`glsa_${random}_deadbeef`, random]],
  linear_token: [[`lin_api_${random}`, random]],
  mailgun_key: [[`key-${hex.slice(0, 32)}`, hex.slice(0, 32)]],
  new_relic_key: [[`NRAK-${random.toUpperCase()}`, random.toUpperCase()]],
  notion_token: [[`ntn_${random}`, random]],
  npm_token: [[`npm_${random}abcde`, random]],
  planetscale_token: [[`pscale_tkn_${random}`, random]],
  pypi_token: [[`pypi-AgE${random}${random}`, random]],
  sendgrid_key: [[`SG.${random.slice(0, 22)}.${random}`, random]],
  shopify_token: [[`shpat_${hex.slice(0, 32)}`, hex.slice(0, 32)]],
  slack_app_token: [[`xapp-1-A0B1-${random}`, random]],
  telegram_token: [[`123456789:AA${random}ab`, random]],
  terraform_token: [[`${random.slice(0, 14)}.atlasv1.${random}${random}`, random]],
  twilio_key: [[`SK${hex.slice(0, 32)}`, hex.slice(0, 32)]],
  vault_token: [[`hvs.${random}`, random]],
  jdbc_login: [['jdbc:oracle:thin:scott/tigerpaw@//db:1521/x', 'tigerpaw']],
  basic_login: [[`curl -s -u etl:hunter2pass https://x.example.org`, 'hunter2pass']],
  netrc_login: [['machine api.example.org login etl password hunter2pass', 'hunter2pass']],
  pgpass_login: [['db-1:5432:sales:etl:hunter2pass', 'hunter2pass']],
  cookie: [[`Set-Cookie: sid=${random}; Path=/`, random]],
  sql_password: [
    ["CREATE USER etl IDENTIFIED BY 'hunter2pass'", 'hunter2pass'],
    ["ALTER ROLE etl WITH PASSWORD 'hunter2pass'", 'hunter2pass'],
  ],
  email: [
    ['mail bob.smith+etl@mail.example.org now', 'bob.smith'],
    ['owner=ann_lee@example.co.uk', 'ann_lee'],
    ['mailto:ann.lee@example.org', 'ann.lee'],
    ['frag jörg.müller@beispiel.de', 'jörg'],
    ['an anna@firma.münchen', 'anna@firma'],
  ],
  internal_host: [
    ['https://airflow-web.prod.internal:8080/dags', 'airflow-web'],
    ['worker spark-7.eu.corp: lost', 'spark-7.eu'],
    ['redis.data.svc.cluster.local', 'redis.data'],
    ['http://build.local/x and nas.local:8080', 'nas.local'],
    ['ip-10-2-33-4 said no', '10-2-33-4'],
    ['lost warehouse.eu-west.corp.example.com:5432', 'warehouse'],
    ['https://airflow.internal.example.co.uk/dags', 'airflow'],
  ],
  internal_address: [
    ['connect to 10.20.30.44:5432', '10.20.30.44'],
    ['at 192.168.7.9 and 172.31.0.1', '172.31.0.1'],
    ['host fd12:3456:789a::17 is down', '3456:789a'],
    ['on fe80::1ff:fe23:4567:890a', '1ff:fe23'],
  ],
  putty_key: [[`PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 2\n${random}${random}\n${random}${random}\nPrivate-MAC: ab`, random]],
  private_key: [
    [`-----BEGIN RSA PRIVATE KEY-----\n${`${random}${random}\n`.repeat(4)}-----END RSA PRIVATE KEY-----`, random],
    [`-----BEGIN PRIVATE KEY-----\n${`${random}${random}\n`.repeat(4)}`, random],
    [`-----BEGIN ENCRYPTED PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${random}${random}\n-----END ENCRYPTED PRIVATE KEY-----`, random],
  ],
};

/** The ways in which a text reaches the log: as it is, at the start of a line, within JSON within a string, between quotes. */
const SETTINGS: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  'after a line break': (text) => `first line\n${text}\nlast line`,
  'in a sentence': (text) => `it failed with ${text} today`,
  'in JSON in the string': (text) => JSON.stringify({ log: `first line\n${text}\nlast line` }),
  'in a list of JSON': (text) => JSON.stringify([1, text, 2]),
};

describe('redaction', () => {
  it('is tested for every kind that it knows', () => {
    expect(Object.keys(PLANTED).sort()).toEqual([...new Set(SHIPPED_PATTERNS.map(({ name }) => name)), 'private_key'].sort());
  });

  for (const [name, planted] of Object.entries(PLANTED))
    it.each(Object.entries(SETTINGS))(`takes out a ${name}, %s`, (_setting, place) => {
      for (const [text, secret] of planted) {
        const clean = redactSecrets(place(text));
        expect(clean).not.toContain(secret);
        expect(clean).toContain('[redacted:');
      }
    });

  it.each(Object.entries(PLANTED))('marks a %s by its name', (name, planted) => {
    for (const [text] of planted) expect(redactSecrets(text)).toMatch(/\[redacted:[a-z_]+\]/);
    expect(redactSecrets(planted[0]?.[0] ?? '')).toContain(`[redacted:${name}]`);
  });

  it('changes nothing the second time', () => {
    for (const [text] of Object.values(PLANTED).flat()) {
      const once = redactSecrets(text);
      expect(redactSecrets(once)).toBe(once);
    }
  });

  it('leaves what stands around a secret', () => {
    expect(redactSecrets('postgresql://etl:hunter2@db:5432/sales')).toBe('postgresql://etl:[redacted:url_password]@db:5432/sales');
    expect(redactSecrets('host=db password=hunter2 port=5432')).toBe('host=db password=[redacted:named_secret] port=5432');
    const key = `-----BEGIN PRIVATE KEY-----\n${random}\n-----END PRIVATE KEY-----`;
    expect(redactSecrets(`a ${key} b ${key} c`)).toBe('a [redacted:private_key] b [redacted:private_key] c');
  });

  it.each([
    'token count 1234, tokens: 5678, max_tokens=4096, inputTokens: 900',
    'the password reset page was visited 31,415 times',
    'token: 12345',
    'last token = 2026-11-30, secret: 4711.5, access_key=99',
    'primary_key=customer_id, partition_key: day, sort_key=created_at',
    'column password VARCHAR, "password": null, "token": true',
    'secret: null, password = none, api_key: true',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a configuration holds
    'password=${DB_PASSWORD} token={{ var.value.token }} secret=%(secret)s api_key=<your key>',
    'syntax error at or near token: SELECT',
    "JSONDecodeError: unexpected token: 'foo'",
    'pk_dim_customer_address_history and sk-dim-customer-surrogate-history',
    'sk_customer_dimension_history_version_2',
    'basic troubleshooting-information about bearer authentication-mechanisms',
    'run scheduled__2025-03-14T02:00:00+00:00 id 3f2b8c1e-9d4a-4e57-8f10-2b6c7d8e9f00',
    'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '2025-03-14 02:17:59.123456+00:00 | 1,234.50 | -7e10 | 0x1F',
    'https://airflow.example.org:8080/dags/sales/grid?dag_run_id=a@b',
    's3://lake/bronze/orders/part-0001.parquet?versionId=abc',
    'at jdk.internal.reflect.Method.invoke and sun.internal.Misc, com.acme.internal.Loader()',
    'settings.local.json, .env.local, config.local, /etc/hosts.local',
    'version 10.1.2, 10.0.19041.1, 192.168 ms, v10.2.3.4, build 10.1.2.3.4, 8.8.8.8, 172.40.1.1',
    'git@github.com:acme/pipelines.git, dbt_utils@1.1.0, @app.route, pkg@latest, image@sha256:abc',
    'rows identified by order_id, the state machine of orders, 12:30:00:5432, cookies: 5',
    'pool warehouse, 16 slots, 5117.1 s, stage.orders_internal, analytics.internal_orders',
    'the key column customer_key, primary key (order_id), secretary, compass, passwordless',
    'task askbob-12345678901234567890 and risk-Assessment1234567890',
    'SELECT token, password FROM users WHERE secret IS NOT NULL',
    'The password is required, the token is expired, and the secret was rotated on 2026-05-03 at 04:30',
    'the password for etl is kept in the vault, as the secret is in every environment',
    'the api key was wrong 12 times, the token is valid for 3600 seconds, the password is 12 characters long',
    'a token to table_v2, the credentials are read from vault://data/prod2, password to be reset on day 2',
    'first_pass: done, pass: 34, passed=12, bypass=on, compass: n4, pw: none, second_pass=2026-05-03',
    'mysql -P 3306 -h db1, docker login registry.example.org, sqlplus -v, redis-cli -p 6379',
    'https://shop.example.org/?key=order_id&code=404&auth=basic',
    'the secret of team_a1 is that the join key is order_id_2026 and the primary key is customer_key_v2',
    'at org.apache.spark.internal.io.Reader.read and com.acme.internal.net.http.Client',
    'fade: 10, feed:1, fd1:2, face:b00c, at 12:34:56:78 the cafe:babe',
    'why does the password reset job of run_2025_11 take longer, and the password table users_v2',
    'PASS: unique_orders_v2, PASS=12 WARN=0, password changes on host7 were 12% higher',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});

describe('the log', () => {
  it('holds no planted secret in any of its files, in whatever part of an event it stood', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    const planted = Object.values(PLANTED).flat();
    const last = new Map<string, number>();
    for (const [place, [text]] of planted.entries()) {
      const session = `s${place}`;
      const long = `${'a clean line\n'.repeat(2000)}${text}\n${'another\n'.repeat(2000)}`;
      const json = JSON.stringify({ rows: [{ text }] });
      log.append([
        eventAt(1, opened(text, { project: '/p' }), { session }),
        eventAt(
          2,
          { type: 'tool.called', callId: 'c', resultId: 'R1', tool: 't', arguments: { text, deep: [{ [text]: text }] } },
          { session },
        ),
        eventAt(
          3,
          { type: 'tool.finished', callId: 'c', resultId: 'R1', tool: 't', status: 'ok', complete: true, content: long, elapsedMs: 1 },
          { session },
        ),
        eventAt(4, said(json), { session }),
      ]);
      log.putBlob(long);
      log.putBlob(json);
      last.set(session, 4);
    }
    const whileOpen = bytesOf(folder);
    const stored = [...last.keys()].flatMap((session) => [...log.read(session)]);
    log.close();
    const text = JSON.stringify(stored);
    for (const [, secret] of planted) {
      expect(whileOpen.includes(secret), secret).toBe(false);
      expect(bytesOf(folder).includes(secret), secret).toBe(false);
      expect(text).not.toContain(secret);
    }
    expect(stored.length).toBe(planted.length * 4);
  });

  it('takes out the value of a key that names a secret, whatever it is made of', async () => {
    const log = await openLog();
    const args = {
      password: 'a "quoted" \\ value',
      nested: [{ apiKey: 'short' }],
      token_count: 5,
      tokens: 'some words',
      page: 3,
      flag: true,
    };
    log.append([eventAt(1, { type: 'tool.called', callId: 'c', resultId: 'R1', tool: 't', arguments: args })]);
    expect([...log.read('s1')][0]?.body).toMatchObject({
      arguments: { ...args, password: '[redacted:named_secret]', nested: [{ apiKey: '[redacted:named_secret]' }] },
    });
  });

  it('takes out what the patterns of the project find, under their names, and stays JSON', async () => {
    const patterns = [
      { name: 'customer_id', pattern: 'CUST-\\d{6,8}' },
      { name: 'account', pattern: '\\b77\\d{6}\\b' },
    ];
    const folder = newFolder();
    const log = await openLog({ folder, patterns });
    const content = JSON.stringify({ data: { rows: [{ id: 'CUST-123456', account: 77123456, rows: 412 }] } });
    log.append([eventAt(1, opened('why CUST-7654321?')), eventAt(2, said(content))]);
    const [question, result] = [...log.read('s1')].map(({ body }) => body as { question?: string; content?: string });
    expect(question?.question).toBe('why [redacted:customer_id]?');
    expect(JSON.parse(result?.content ?? '')).toEqual({
      data: { rows: [{ id: '[redacted:customer_id]', account: '[redacted:account]', rows: 412 }] },
    });
    for (const planted of ['CUST-123456', '77123456', 'CUST-7654321']) expect(bytesOf(folder).includes(planted)).toBe(false);
    expect(redactionOf({ patterns }).clean('CUST-123456', 'password')).toBe('[redacted:named_secret]');
  });

  it('takes a secret out where it stands alone, once it was found by what stood before it', async () => {
    const folder = newFolder();
    const log = await openLog({ folder });
    const key = `-----BEGIN PRIVATE KEY-----\n${random}${random}\n-----END PRIVATE KEY-----`;
    log.append([eventAt(1, said(`Authorization: Bearer ${random}\npassword=warehouse-night\n${key}`))]);
    log.append([eventAt(2, said(`the token ${random} is no longer valid; the warehouse-night load; line ${random}${random}`))]);
    expect(bytesOf(folder).includes(random)).toBe(false);
    // A word that something else may be called stays.
    expect([...log.read('s1')].map(({ body }) => (body as { content: string }).content).at(-1)).toMatch(
      /^the token \[redacted:\w+\] is no longer valid; the warehouse-night load; line \[redacted/,
    );
  });

  it('runs a function of the user in place of its own patterns, over payloads too', async () => {
    const log = await openLog({ redact: (text) => text.replaceAll('plum', '[fruit]') });
    log.append([eventAt(1, said('a plum'))]);
    expect([...log.read('s1')][0]?.body).toEqual(said('a [fruit]'));
    expect(log.getBlob(log.putBlob('plum\n'.repeat(500)))).toBe('[fruit]\n'.repeat(500));
  });
});

describe('JSON within a text', () => {
  const pieces = [
    'password',
    'token',
    ': ',
    '=',
    '"',
    "'",
    '\\',
    '\n',
    '{',
    '}',
    '[',
    ']',
    ',',
    ' ',
    'hunter2secret',
    'AKIAIOSFODNN7EXAMPLE',
  ];
  const more = [
    'Bearer ',
    '://u:',
    '@h',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    'MIIEvAIBADANBgkqhkiG9w0BAQ',
    '--token ',
    'bob@example.org',
    'db.prod.internal',
    '10.1.2.3',
    'npm_',
    '\\n',
    'machine ',
  ];
  const text = fc.array(fc.constantFrom(...pieces, ...more), { maxLength: 6 }).map((parts) => parts.join(''));
  const key = fc.oneof(fc.constantFrom('password', 'token', 'api_key', 'note'), text);
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      text,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(true, null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    ),
  })).value;

  it('stays JSON, whatever it holds', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(0, 2), (any, indent) => {
        JSON.parse(redactSecrets(JSON.stringify(any, null, indent)));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{"password": 12345678, "x": 1}', { password: '[redacted:named_secret]', x: 1 }],
    ['{"password":"a \\"b\\" c","x":"y"}', { password: '[redacted:named_secret]', x: 'y' }],
    ['{"token": 1234567, "page": true}', { token: 1234567, page: true }],
    ['{"secret": ["first-one", "second"], "password": {}}', { secret: ['first-one', 'second'], password: {} }],
    ['["set password=", {"x": "it\'s"}]', ['set password=', { x: "it's" }]],
    [
      '["-----BEGIN PRIVATE KEY-----", {"end": "-----END PRIVATE KEY-----"}]',
      ['[redacted:private_key]', { end: '-----END PRIVATE KEY-----' }],
    ],
  ])('keeps its structure: %s', (json, expected) => {
    expect(JSON.parse(redactSecrets(json))).toEqual(expected);
  });

  it('stays JSON within JSON, in a payload too', async () => {
    const inner = JSON.stringify({ password: 'hunter2secret', token: 'abc123def', rows: [1, 2.5], text: 'a\n"b"' });
    const log = await openLog();
    const stored = JSON.parse(log.getBlob(log.putBlob(JSON.stringify({ inner }))) ?? '') as { inner: string };
    expect(JSON.parse(stored.inner)).toEqual({
      password: '[redacted:named_secret]',
      token: '[redacted:named_secret]',
      rows: [1, 2.5],
      text: 'a\n"b"',
    });
  });
});
