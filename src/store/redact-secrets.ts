import type { RedactionPattern } from '../core/project.ts';
import { IDENTIFIER_HINTS, IDENTIFIER_PATTERNS } from './identifier-patterns.ts';
import { createKnownSecrets, type KnownSecrets } from './known-secrets.ts';
import { cleanConfigured, compileConfigured } from './redact-configured.ts';
import { SECRET_NAMES, SECRET_PATTERNS, type SecretPattern } from './secret-patterns.ts';
import { PLACED_PATTERNS, VENDOR_HINTS, VENDOR_PATTERNS } from './vendor-patterns.ts';
import { WORDED_HINTS, WORDED_PATTERNS } from './worded-patterns.ts';

/** How secrets are kept out of the log. */
export interface Redaction {
  /** Whether a text, or the JSON that holds it, might have a secret: cheap, and wrong only in saying yes. */
  suspects(text: string): boolean;
  /** The text without its secrets; `key` is the name it stands under, or empty. */
  clean(text: string, key: string): string;
}

/** Every shipped kind, in the order in which they are looked for; private keys come before all of them. */
export const SHIPPED_PATTERNS: readonly SecretPattern[] = [
  ...SECRET_PATTERNS,
  ...VENDOR_PATTERNS,
  ...PLACED_PATTERNS,
  ...WORDED_PATTERNS,
  ...IDENTIFIER_PATTERNS,
];

export interface RedactionOptions {
  /** A user's own function in place of the shipped patterns, run over every string. */
  readonly redact?: ((text: string) => string) | undefined;
  /** A project's patterns on top of the shipped ones. */
  readonly patterns?: readonly RedactionPattern[] | undefined;
}

/** How secrets are kept out of one log, for as long as it is open. */
export function redactionOf({ redact, patterns = [] }: RedactionOptions): Redaction {
  if (redact) return { suspects: () => true, clean: redact };
  const known = createKnownSecrets();
  const own = compileConfigured(patterns);
  const clean = (text: string, key: string): string => known.clean(redactValue(text, key, known));
  if (own.length === 0) return { suspects: (text) => mayHoldSecret(text) || known.within(text), clean };
  return { suspects: () => true, clean: (text, key) => cleanConfigured(clean(text, key), own) };
}

/**
 * A look that most texts fail: the rarest letters of each pattern, none of it optional. `firstTokenMs`, which every reply of a model has, is no
 * secret's name. Several expressions in place of one, each of alternatives that begin with a letter of their own and look behind only then: the
 * engine skips the rest, and all of them together take a quarter of the time of one.
 */
const SHIPPED_HINTS: readonly RegExp[] = [
  /PRIVATE KEY|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|hooks\.slack|[srp]k_(?:live|test)_|sk-|AIza|dapi|hf_|eyJ(?<=(?<![\w-])eyJ|\\[nrt]eyJ)[\w-]{8,}\.|authorization|bearer|passw|passphrase|passcode|pwd|kennwort|mot de passe|contrase|secret|(?:api|access|account|private|signing|encryption|auth|master|fernet|hmac|deploy|consumer|subscription)[ _-]?key|token(?!s|Ms\b)|cookie|machine\s|identified\s|jdbc:/i,
  /:\/\/[^\s/"]{0,600}@|[?&](?:sig|x-amz-s|x-goog-s)|--?u(?:ser)?[ =]|:(?:5432|6432|\*):/i,
];
/** Which patterns are worth running over a text that one of their hints is in. */
const GROUPS: readonly { readonly patterns: readonly SecretPattern[]; readonly hints: readonly RegExp[] }[] = [
  { patterns: SECRET_PATTERNS, hints: SHIPPED_HINTS },
  { patterns: VENDOR_PATTERNS, hints: [VENDOR_HINTS] },
  { patterns: PLACED_PATTERNS, hints: SHIPPED_HINTS },
  { patterns: WORDED_PATTERNS, hints: [...SHIPPED_HINTS, WORDED_HINTS] },
  { patterns: IDENTIFIER_PATTERNS, hints: [IDENTIFIER_HINTS] },
];
const HINTS: readonly RegExp[] = [...SHIPPED_HINTS, VENDOR_HINTS, WORDED_HINTS, IDENTIFIER_HINTS];

const KEY_OF_SECRET = new RegExp(`(?:${SECRET_NAMES})$`, 'i');
const SHORTEST = 3;

function mayHoldSecret(text: string): boolean {
  return HINTS.some((hint) => hint.test(text));
}

function redactValue(text: string, key: string, known: KnownSecrets): string {
  if (key === '' || !KEY_OF_SECRET.test(key) || !isValue(text)) return redactSecrets(text, known);
  known.keep(text, 'named_secret');
  return '[redacted:named_secret]';
}

/** A figure, a word for nothing or an expression that names where the secret is stands as it is. */
function isValue(text: string): boolean {
  return text.length >= SHORTEST && !/^(?:[\d.,:TZ+-]+|null|none|true|false|\[redacted.*|\$\{.*\}|\{\{.*\}\})$/i.test(text);
}

/**
 * The text with every known kind of secret replaced by `[redacted:NAME]`; the kinds are those of `SHIPPED_PATTERNS` and private keys. What is a
 * secret by what stands before it goes to `known`.
 */
export function redactSecrets(text: string, known?: KnownSecrets): string {
  if (!mayHoldSecret(text)) return text;
  let clean = redactPrivateKeys(text, known);
  for (const { patterns, hints } of GROUPS)
    if (hints.some((hint) => hint.test(text))) for (const pattern of patterns) clean = replaceAll(clean, pattern, known);
  return clean;
}

function replaceAll(text: string, { name, pattern, replacement }: SecretPattern, known: KnownSecrets | undefined): string {
  if (known && replacement.startsWith('$1'))
    for (const [all, before = ''] of text.matchAll(pattern)) known.keep(all.slice(before.length), name);
  return text.replace(pattern, replacement);
}

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----/;
const KEY_PART = /[A-Za-z0-9+/=]{16,}/g;
/** What a key without its end is made of, also where its line breaks are written as `\n`. */
const KEY_TEXT = /(?:[A-Za-z0-9+/=]{16,}|(?:\\[nr])+|\s+)*/y;

function redactPrivateKeys(text: string, known: KnownSecrets | undefined): string {
  if (!text.includes('PRIVATE KEY')) return text;
  let clean = '';
  let from = 0;
  for (const { index, 0: line } of text.matchAll(BEGIN)) {
    if (index < from) continue;
    clean += `${text.slice(from, index)}[redacted:private_key]`;
    from = endOfKey(text, index + line.length);
    for (const [part] of text.slice(index + line.length, from).matchAll(KEY_PART)) known?.keep(part, 'private_key');
  }
  return clean + text.slice(from);
}

function endOfKey(text: string, start: number): number {
  KEY_TEXT.lastIndex = start;
  const bodyEnd = start + (KEY_TEXT.exec(text)?.[0].length ?? 0);
  // Headers such as Proc-Type stand before the key's text; an end further away or in another string belongs to another key.
  const rest = text.slice(bodyEnd, bodyEnd + 8000);
  const end = END.exec(rest);
  return end && !rest.slice(0, end.index).includes('"') ? bodyEnd + end.index + end[0].length : bodyEnd;
}
