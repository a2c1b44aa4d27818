import type { SecretPattern } from './secret-patterns.ts';

/** Hosts that only a company's own network knows end in one of these. */
const INNER_ENDINGS = 'internal|corp|intranet|intra|lan|localdomain|home\\.arpa';
const COMPANY_ENDINGS = 'com|net|org|io|eu|de|at|ch|fr|nl|uk|co\\.uk|us|ca|au|com\\.au|in|jp|cloud|dev|tech|ai|biz|info';
/** A word goes on, or the dots of a Java package do (`jdk.internal.reflect`), or it is a table of a schema called so. */
const NAME_ENDS = '(?![A-Za-z0-9_-]|\\.[A-Za-z0-9_]|\\()';
const LABELS = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\\.){1,8}';

/** What names a person or a machine: of no use to who reads the log later, and not to be kept. */
export const IDENTIFIER_PATTERNS: readonly SecretPattern[] = [
  {
    // A login before a host in a URL and `git@host:` are no addresses.
    name: 'email',
    pattern:
      /(?:(?<![\p{L}\p{N}._%+@\\-]|\/\/)|(?<=\\[nrt]))(?!git@)[\p{L}\p{N}](?:[\p{L}\p{N}._%+-]{0,62}[\p{L}\p{N}_+-])?@(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}@])/gu,
    replacement: '[redacted:email]',
  },
  {
    name: 'internal_host',
    pattern: new RegExp(`(?:(?<![A-Za-z0-9_./\\\\-])|(?<=\\\\[nrt]|//|@))${LABELS}(?:${INNER_ENDINGS}|cluster\\.local)${NAME_ENDS}`, 'gi'),
    replacement: '[redacted:internal_host]',
  },
  {
    // `.local` also ends files (`settings.local`): a host has a port, a login or a scheme beside it.
    name: 'internal_host',
    pattern: new RegExp(`(?:(?<=//|@)${LABELS}local${NAME_ENDS}|(?<![A-Za-z0-9_./\\\\-])${LABELS}local(?=:\\d{2,5}\\b))`, 'gi'),
    replacement: '[redacted:internal_host]',
  },
  {
    // Below the company's own domain: `db.corp.example.com`. Packages of Java begin with such a domain and do not end in one.
    name: 'internal_host',
    pattern: new RegExp(
      `(?:(?<![A-Za-z0-9_./\\\\-])|(?<=\\\\[nrt]|//|@))${LABELS}(?:internal|corp|intranet|intra)\\.[A-Za-z0-9][A-Za-z0-9-]{0,62}\\.(?:${COMPANY_ENDINGS})${NAME_ENDS}`,
      'gi',
    ),
    replacement: '[redacted:internal_host]',
  },
  {
    name: 'internal_host',
    pattern: /(?:(?<![A-Za-z0-9_.\\-])|(?<=\\[nrt]))ip-(?:10|172|192)-\d{1,3}-\d{1,3}-\d{1,3}(?![A-Za-z0-9-])/g,
    replacement: '[redacted:internal_host]',
  },
  {
    // The ranges kept for private networks (RFC 1918); four figures with more before or behind are a version.
    name: 'internal_address',
    pattern:
      /(?:(?<![A-Za-z0-9_.\\-])|(?<=\\[nrt]))(?:10\.(?:25[0-5]|2[0-4]\d|1?\d?\d)|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){2}(?![A-Za-z0-9_-]|\.\d)/g,
    replacement: '[redacted:internal_address]',
  },
  {
    // Unique local and link-local addresses of IPv6 (RFC 4193, 4291).
    name: 'internal_address',
    pattern:
      /(?:(?<![A-Za-z0-9_:.\\-])|(?<=\\[nrt]))f(?:[cd][0-9a-f]{2}|e80)(?:(?::{1,2}[0-9a-f]{1,4}){2,7}|::[0-9a-f]{1,4})(?:::)?(?![A-Za-z0-9_:])/gi,
    replacement: '[redacted:internal_address]',
  },
];

/** What every one of them has, for a first look at a text. */
export const IDENTIFIER_HINTS = new RegExp(
  `[^\\s"']@[^\\s"'.]|\\.(?:${INNER_ENDINGS}|local)(?![a-z0-9_-])|(?<!\\d)ip-1|f(?:[cd][0-9a-f]{2}|e80):[:0-9a-f]|(?<![\\d.])(?:10|192\\.168|172\\.[123]\\d)\\.\\d{1,3}\\.\\d`,
  'i',
);
