import { KEY_NAMES, NO_SECRET, PASSWORD_NAMES, type SecretPattern } from './secret-patterns.ts';

/** A secret begins a word; JSON within a text writes a line break as `\n`, whose `n` belongs to no word. */
const START = '(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt]))';
const LONG_NAMES = `(?:${KEY_NAMES}|(?:client|app|shared)[ _-]secret|credentials?)`;
/** What may stand between the name and the verb: `of the new user`. */
const BETWEEN = '(?:\\s{1,3}(?!(?:is|was|are|has|that|which|if|when|ist|war|dass?|wenn)\\b)[^\\s.,;:=!?"\'\\\\]{1,40}){0,8}?';
const IS =
  '\\s{1,3}(?:is|was|has\\s{1,3}been|will\\s{1,3}be|ist|war|lautet|est|es|=)(?:\\s{1,3}(?:now|changed|set|reset|jetzt))?(?:\\s{1,3}to)?';
const OPEN = '\\s{1,3}\\\\{0,3}["\'`“„(]{0,2}';
const IS_SECRET = `(?!${NO_SECRET}|[\\d.,:TZ+/-]+(?![^\\s"'\\\\,;)\\]}]))`;
const CHARACTER = '[^\\s"\'\\\\<>,;“”„`)\\]}|]';
/** Ends before the full stop of its sentence. */
const value = (least: number): string => `${CHARACTER}{${least - 1},400}[^\\s"'\\\\<>,;“”„\`)\\]}|.:]`;
/** Letters with digits or signs among them, which no ordinary word has. */
const MIXED = `(?=${CHARACTER}{0,400}[A-Za-z])(?=${CHARACTER}{0,400}[\\d!#$%^&*+~@])`;
const LETTERS_AND_DIGITS = `(?=${CHARACTER}{0,400}[A-Za-z])(?=${CHARACTER}{0,400}\\d)`;

const told = (pattern: string): SecretPattern => ({
  name: 'told_secret',
  pattern: new RegExp(`(${pattern}`, 'gi'),
  replacement: '$1[redacted:told_secret]',
});
const command = (pattern: string, flags = 'g'): SecretPattern => ({
  name: 'command_login',
  pattern: new RegExp(`(${pattern}`, flags),
  replacement: '$1[redacted:command_login]',
});

/** Secrets that a sentence tells, that a command is given, or that stand under a short name or in an element of XML. */
export const WORDED_PATTERNS: readonly SecretPattern[] = [
  told(
    `(?:${PASSWORD_NAMES})${BETWEEN}(?:${IS}|\\s{1,3}(?:to|as))\\s{1,3}\\\\{0,3}["'\`“„])(?!${NO_SECRET})[^"'\`”“\\\\\\r\\n]{3,100}(?=\\\\{0,3}["'\`”“])`,
  ),
  told(`(?:${PASSWORD_NAMES})(?:${BETWEEN}(?:${IS}|\\s{1,3}(?:to|as)))?${OPEN})${IS_SECRET}${MIXED}${value(6)}`),
  told(`${LONG_NAMES}${BETWEEN}${IS}${OPEN})${IS_SECRET}${LETTERS_AND_DIGITS}${value(10)}`),
  {
    name: 'named_secret',
    pattern: new RegExp(
      `(<(?:[A-Za-z0-9]{1,30}[:_.-]){0,3}(?:${PASSWORD_NAMES}|${KEY_NAMES})>\\s{0,20})(?!${NO_SECRET}|[\\s\\d.]+<)[^<"\\\\]{3,4000}(?=</)`,
      'gi',
    ),
    replacement: '$1[redacted:named_secret]',
  },
  {
    // `PASS: unique_orders_v2` is what a test came to.
    name: 'named_secret',
    pattern: new RegExp(
      `((?:(?<![A-Za-z])|(?<=\\\\[nrt]))(?:[Pp]ass|pw|PW|psw)\\\\{0,3}["']?\\s{0,3}[=:]\\s{0,3}\\\\{0,3}["']?)${IS_SECRET}${MIXED}${value(6)}`,
      'g',
    ),
    replacement: '$1[redacted:named_secret]',
  },
  {
    name: 'named_secret',
    pattern: new RegExp(
      `(${START}[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){0,4}_(?:PASS|PW)=\\\\{0,3}["']?)${IS_SECRET}${CHARACTER}{4,400}`,
      'g',
    ),
    replacement: '$1[redacted:named_secret]',
  },
  {
    name: 'url_key',
    pattern: /([?&](?:key|code|auth|signature)=)(?=[\w-]{0,400}\d)(?=[\w-]{0,400}[A-Za-z])[\w-]{20,400}/g,
    replacement: '$1[redacted:url_key]',
  },
  command(`${START}(?:mysql|mysqldump|mysqladmin|mariadb)\\b[^\\r\\n",;|&]{0,200}?\\s-p)(?!\\[redacted|ort\\b)[^\\s"'\\\\]{3,200}`),
  command(`${START}sshpass\\s{1,3}-p\\s{0,3}(?:\\\\?["'])?)(?!\\[redacted)[^\\s"'\\\\]{3,200}`),
  command(`${START}docker\\s{1,3}login\\b[^\\r\\n",;|&]{0,200}?\\s-p\\s{1,3})(?!\\[redacted)[^\\s"'\\\\]{3,400}`),
  command(`${START}redis-cli\\b[^\\r\\n",;|&]{0,200}?\\s-a\\s{1,3})(?!\\[redacted)[^\\s"'\\\\]{3,400}`),
  command(
    `${START}(?:sqlplus|sqlldr|expdp|impdp)\\s[^\\r\\n",;|&]{0,100}?[A-Za-z0-9_$#]{1,64}/)(?![/\\[])[^\\s@"'\\\\/]{3,100}(?=@|\\s|$)`,
  ),
  {
    name: 'putty_key',
    pattern:
      /(Private-Lines:\s{0,3}\d{1,4}(?:\\[nr]|\s){1,4})[A-Za-z0-9+/=]{16,100}(?:(?:\\[nr]|\s){1,4}[A-Za-z0-9+/=]{8,100}(?![:\w-])){0,400}/g,
    replacement: '$1[redacted:putty_key]',
  },
];

/** What each of them has that no other kind asks for: a first look at a text. */
export const WORDED_HINTS =
  /credential|p(?:ass|s?w)\\{0,3}["']?\s{0,3}[:=](?!\s?\d+(?:[\s"'\\,;)\]}]|$))|[?&](?:key|code|auth|signature)=|mysql|mariadb|sshpass|docker\s{1,3}login|redis-cli|sqlplus|sqlldr|expdp|impdp|Private-Lines/i;
