/** A kind of secret: what is found, and what stands in its place (`$1` keeps the text before it). */
export interface SecretPattern {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** A person may choose digits alone for these. */
export const PASSWORD_NAMES = 'passw(?:or[dt]|d)|passphrase|passcode|pwd|kennwort|mot de passe|contrase[nñ]a';
/** A machine makes these; a figure after one of them is a count or a position. */
export const KEY_NAMES =
  '(?:api|access|account|private|signing|encryption|auth|secret|master|fernet|hmac|deploy|consumer|subscription)[ _-]?key|secret|(?<!unexpected |invalid |illegal |near |at |missing |extraneous |last )token';

/** Names whose value is a secret, as in `db_password=`, `"apiKey":` or a key of an object. */
export const SECRET_NAMES = `${PASSWORD_NAMES}|${KEY_NAMES}`;

/** What such a name may stand before without being one: no value, a type, a reference to where the value is, a placeholder. */
export const NO_SECRET =
  '(?:null|none|nil|true|false|undefined|string|str|text|varchar|char|int|integer|required|optional)\\b|\\[redacted|\\*{3}|\\$[{(A-Za-z]|\\{\\{|<|%\\(';

/** A number, a date or a time, alone. */
const FIGURE = '[\\d.,:TZ+-]+(?![^\\s"\'\\\\,;&}\\])|])';

const ASSIGNED = '\\s{0,3}(?:=>|[=:])\\s{0,3}';
const SEPARATOR = `\\\\{0,3}["']?${ASSIGNED}`;

/**
 * The inside of a string that has just been opened, up to the quote that ends it, which stays: JSON within a text must stay JSON. Where the
 * punctuation of JSON follows, the quote has ended a string.
 */
const QUOTED =
  '(?!\\s{0,3}[,\\]}:])(?:(?<=\\\\["\'])[^"\'\\\\\\r\\n]{1,4000}|(?<=[^\\\\]")(?:[^"\\\\\\r\\n]|\\\\.){1,4000}|(?<=[^\\\\]\')(?:[^\'"\\\\\\r\\n]|\\\\[^"]){1,4000})';
const UNQUOTED = '(?![[{(])[^\\s"\'\\\\,;&}\\])|]{3,4000}';

const NAMED = `(?:${PASSWORD_NAMES}|(?:${KEY_NAMES})(?!${SEPARATOR}${FIGURE}))`;
const IS_SECRET = `(?!["'\\\\]{0,4}(?:${NO_SECRET}))`;

/**
 * What must never reach the log, by name. The value is taken out, the key that names it stays. Every repetition is bounded
 * or cannot be entered twice over the same text, so that the time is linear in its length. Private keys are apart, in
 * `redactPrivateKeys`. A secret begins a word; JSON within a text writes a line break as `\n`, whose `n` belongs to no word.
 */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'url_password',
    pattern: /(:\/\/[^\s:/@"'\\]{0,200}:)(?!\[redacted)[^\s/"'\\]{1,400}(?=@)/g,
    replacement: '$1[redacted:url_password]',
  },
  {
    name: 'url_signature',
    pattern: /([?&](?:sig|x-amz-signature|x-amz-security-token|x-goog-signature)=)[^\s&"'\\]{8,2000}/gi,
    replacement: '$1[redacted:url_signature]',
  },
  {
    name: 'aws_access_key',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
    replacement: '[redacted:aws_access_key]',
  },
  {
    name: 'github_token',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})/g,
    replacement: '[redacted:github_token]',
  },
  {
    name: 'gitlab_token',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))glpat-[A-Za-z0-9_-]{20,250}/g,
    replacement: '[redacted:gitlab_token]',
  },
  {
    name: 'slack_token',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))xox[abeoprs]-[A-Za-z0-9-]{10,250}/g,
    replacement: '[redacted:slack_token]',
  },
  {
    name: 'slack_webhook',
    pattern: /(hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{10,250}/g,
    replacement: '$1[redacted:slack_webhook]',
  },
  {
    name: 'stripe_key',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))[srp]k_(?:live|test)_[A-Za-z0-9]{16,250}/g,
    replacement: '[redacted:stripe_key]',
  },
  {
    // A digit, and a capital or 32 hexadecimal digits in a row: a name such as sk-dim-customer-history has neither.
    name: 'openai_key',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))sk-(?=[\w-]{0,250}\d)(?=[\w-]{0,250}[A-Z]|[\w-]{0,40}[0-9a-f]{32})[\w-]{20,250}/g,
    replacement: '[redacted:openai_key]',
  },
  {
    name: 'google_api_key',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))AIza[A-Za-z0-9_-]{35}/g,
    replacement: '[redacted:google_api_key]',
  },
  { name: 'databricks_token', pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))dapi[0-9a-f]{32}/g, replacement: '[redacted:databricks_token]' },
  {
    name: 'hugging_face_token',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))hf_[A-Za-z]{30,60}\b/g,
    replacement: '[redacted:hugging_face_token]',
  },
  {
    name: 'jwt',
    pattern: /(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
    replacement: '[redacted:jwt]',
  },
  {
    name: 'authorization',
    pattern:
      /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?(?:basic|bearer|token|digest)\s{1,3})(?!\[redacted)[^\s"'\\,;]{3,4000}/gi,
    replacement: '$1[redacted:authorization]',
  },
  {
    name: 'bearer',
    pattern: /((?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))bearer\s{1,3})(?=[A-Za-z._~+/=-]{0,400}\d)[A-Za-z0-9._~+/=-]{16,4000}/gi,
    replacement: '$1[redacted:bearer]',
  },
  {
    name: 'flag',
    pattern: /(--?(?:password|passwd|passphrase|token|secret|api-?key|access-?key)\s{1,3})(?!\[redacted)[^\s"'\\-][^\s"'\\]{2,400}/gi,
    replacement: '$1[redacted:flag]',
  },
  {
    name: 'named_secret',
    pattern: new RegExp(`(${NAMED}${SEPARATOR}(?:\\\\{1,3}["']|["']))${IS_SECRET}${QUOTED}`, 'gi'),
    replacement: '$1[redacted:named_secret]',
  },
  {
    // A bare value after a quoted name is a number of JSON: what replaces it needs the quotes of its name.
    name: 'named_secret',
    pattern: new RegExp(`(${NAMED}((?:\\\\|\\\\{3})?["'])${ASSIGNED})${IS_SECRET}${UNQUOTED}`, 'gi'),
    replacement: '$1$2[redacted:named_secret]$2',
  },
  {
    name: 'named_secret',
    pattern: new RegExp(`(${NAMED}${ASSIGNED})${IS_SECRET}${UNQUOTED}`, 'gi'),
    replacement: '$1[redacted:named_secret]',
  },
];
