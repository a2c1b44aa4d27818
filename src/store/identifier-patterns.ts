import type { SecretPattern } from './secret-patterns.ts';

/** Hosts that only a company's own network knows end in one of these. */
const INNER_ENDINGS = 'internal|corp|intranet|intra|lan|localdomain|home\\.arpa';
/** A word goes on, or the dots of a Java package do (`jdk.internal.reflect`), or it is a table of a schema called so. */
const NAME_ENDS = '(?![A-Za-z0-9_-]|\\.[A-Za-z0-9_]|\\()';
const LABELS = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\\.){1,8}';

/** What names a person or a machine: of no use to who reads the log later, and not to be kept. */
export const IDENTIFIER_PATTERNS: readonly SecretPattern[] = [
  {
    // A login before a host in a URL and `git@host:` are no addresses.
    name: 'email',
    pattern:
      /(?:(?<![A-Za-z0-9._%+@\\-]|\/\/)|(?<=\\[nrt]))(?!git@)[A-Za-z0-9](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9_+-])?@(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9@])/g,
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
];

/** What every one of them has, for a first look at a text. */
export const IDENTIFIER_HINTS = new RegExp(
  `[\\w+-]@[\\w-]|\\.(?:${INNER_ENDINGS}|local)(?![a-z0-9_-])|(?<!\\d)ip-1|(?<![\\d.])(?:10|192\\.168|172\\.[123]\\d)\\.\\d{1,3}\\.\\d`,
  'i',
);
