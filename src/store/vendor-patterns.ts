import type { SecretPattern } from './secret-patterns.ts';

/** A secret begins a word; JSON within a text writes a line break as `\n`, whose `n` belongs to no word. */
const START = '(?:(?<![A-Za-z0-9_\\\\-])|(?<=\\\\[nrt]))';

/** Tokens that services give out with a beginning of their own, by name; the body follows the start of a word. */
const TOKENS: readonly (readonly [name: string, body: string])[] = [
  ['anaconda_token', 'a[tl]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?=/|$)'],
  ['atlassian_token', 'ATATT3x[A-Za-z0-9_=-]{20,400}'],
  ['age_key', 'AGE-SECRET-KEY-1[A-Z0-9]{20,80}'],
  ['dbt_cloud_token', 'dbt[cu]_[A-Za-z0-9_-]{20,200}'],
  ['digitalocean_token', 'do[opr]_v1_[0-9a-f]{40,80}'],
  ['docker_token', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}'],
  ['doppler_token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9_.-]{20,120}'],
  ['google_oauth', 'ya29\\.[A-Za-z0-9_-]{20,600}'],
  ['google_client_secret', 'GOCSPX-[A-Za-z0-9_-]{20,60}'],
  ['grafana_token', 'glsa_[A-Za-z0-9]{20,60}_[0-9a-f]{8}'],
  ['linear_token', 'lin_api_[A-Za-z0-9]{30,60}'],
  ['mailgun_key', 'key-[0-9a-f]{32}(?![0-9a-f])'],
  ['new_relic_key', 'NRAK-[A-Z0-9]{20,40}'],
  ['notion_token', 'ntn_[A-Za-z0-9]{30,80}'],
  ['npm_token', 'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])'],
  ['planetscale_token', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{20,80}'],
  ['pypi_token', 'pypi-AgE[A-Za-z0-9_-]{40,500}'],
  ['sendgrid_key', 'SG\\.[A-Za-z0-9_-]{16,40}\\.[A-Za-z0-9_-]{30,80}'],
  ['shopify_token', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}'],
  ['slack_app_token', 'xapp-\\d-[A-Za-z0-9-]{20,200}'],
  ['telegram_token', '\\d{8,10}:AA[A-Za-z0-9_-]{32,36}(?![A-Za-z0-9_-])'],
  ['terraform_token', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_=-]{40,100}'],
  ['twilio_key', 'SK[0-9a-f]{32}(?![0-9a-f])'],
  ['vault_token', 'hv[bs]\\.[A-Za-z0-9_-]{20,200}'],
];

/** The letters that every one of the tokens has, for a first look at a text. */
export const VENDOR_HINTS =
  /a[tl]-[0-9a-f]{8}-|ATATT3x|AGE-SECRET|dbt[cu]_|do[opr]_v1_|dckr_|dp\.[a-z]|ya29\.|GOCSPX|glsa_|lin_api_|key-[0-9a-f]{8}|NRAK-|ntn_|npm_[a-z0-9]{9}|pscale_|pypi-AgE|SG\.[\w-]{9}|shp(?:at|ca|pa|ss)_|xapp-|:AA[\w-]{9}|atlasv1|SK[0-9a-f]{9}|hv[bs]\./i;

/** Each token replaced whole by its name. */
export const VENDOR_PATTERNS: readonly SecretPattern[] = TOKENS.map(([name, body]) => ({
  name,
  pattern: new RegExp(`${START}${body}`, 'g'),
  replacement: `[redacted:${name}]`,
}));

/** Logins that stand in a known place rather than begin in a known way. */
export const PLACED_PATTERNS: readonly SecretPattern[] = [
  {
    // oracle's thin driver: jdbc:oracle:thin:user/password@//host
    name: 'jdbc_login',
    pattern: /(jdbc:[a-z:]{1,40}:[A-Za-z0-9_.$-]{1,64}\/)(?!\[redacted)[^\s@"'\\/]{1,200}(?=@)/gi,
    replacement: '$1[redacted:jdbc_login]',
  },
  {
    name: 'basic_login',
    pattern:
      /((?:(?:(?<![A-Za-z0-9_\\])|(?<=\\[nrt]))curl\b[^\r\n"]{0,400}?\s(?:-u|--user)|\s--user)[ =](?:\\?["'])?[^\s:"'\\]{1,100}:)(?!\[redacted)[^\s"'\\]{1,200}/g,
    replacement: '$1[redacted:basic_login]',
  },
  {
    name: 'netrc_login',
    pattern:
      /((?:(?<![A-Za-z0-9_\\])|(?<=\\[nrt]))machine\s{1,3}[^\s"\\]{1,200}\s{1,9}login\s{1,3}[^\s"\\]{1,200}\s{1,9}password\s{1,3})(?!\[redacted)[^\s"'\\]{1,400}/g,
    replacement: '$1[redacted:netrc_login]',
  },
  {
    name: 'pgpass_login',
    pattern:
      /((?:^|[\s"]|\\n)[A-Za-z0-9.*_-]{1,200}:(?:5432|6432|\*):[A-Za-z0-9_*-]{1,63}:[A-Za-z0-9_.-]{1,63}:)(?!\[redacted|\d{1,6}\b)[^\s"'\\:]{3,200}/g,
    replacement: '$1[redacted:pgpass_login]',
  },
  {
    name: 'cookie',
    pattern:
      /((?:(?<![A-Za-z0-9_\\])|(?<=\\[nrt]))(?:set-)?cookie\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?[A-Za-z0-9_.-]{1,80}=)(?!\[redacted)[^\s"'\\;,]{8,4000}/gi,
    replacement: '$1[redacted:cookie]',
  },
  {
    name: 'sql_password',
    pattern:
      /((?:(?<![A-Za-z0-9_\\])|(?<=\\[nrt]))(?:create|alter)\s{1,3}(?:user|role|login)\s{1,3}[^\s;]{1,128}\s{1,3}(?:with\s{1,3}|login\s{1,3}){0,2}(?:identified\s{1,3}by|password)\s{1,3}=?\s{0,3}(?:\\?["'])?)(?!\[redacted)[^\s"'\\;]{3,200}/gi,
    replacement: '$1[redacted:sql_password]',
  },
];
