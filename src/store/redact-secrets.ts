interface SecretPattern {
  readonly name: string;
  readonly pattern: RegExp;
  /** What stands in its place; `$1` keeps the text before the secret. */
  readonly replacement: string;
}

/** What must never reach the log, by name. A value is kept out, the key that names it stays. */
export const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: 'private_key',
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,20000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    replacement: '[redacted:private_key]',
  },
  {
    name: 'url_password',
    pattern: /(\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/@"'\\]{0,200}:)[^\s@/"'\\]{1,400}(?=@)/gi,
    replacement: '$1[redacted:url_password]',
  },
  { name: 'aws_access_key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, replacement: '[redacted:aws_access_key]' },
  {
    name: 'github_token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255})\b/g,
    replacement: '[redacted:github_token]',
  },
  { name: 'slack_token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}/g, replacement: '[redacted:slack_token]' },
  { name: 'api_key', pattern: /\b(?:sk|pk|rk)[-_](?:[a-z]{2,10}[-_])?[A-Za-z0-9_-]{20,250}\b/g, replacement: '[redacted:api_key]' },
  { name: 'google_api_key', pattern: /\bAIza[A-Za-z0-9_-]{35}/g, replacement: '[redacted:google_api_key]' },
  { name: 'jwt', pattern: /\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{4,1000}/g, replacement: '[redacted:jwt]' },
  { name: 'bearer', pattern: /(\b(?:bearer|basic)\s+)[A-Za-z0-9._~+/=-]{16,2000}/gi, replacement: '$1[redacted:bearer]' },
  {
    name: 'named_secret',
    pattern:
      /(\b[A-Za-z0-9_.-]{0,40}(?:password|passwd|pwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key|client[_-]?secret|token)\\?["']?\s{0,3}[=:]\s{0,3}\\?["']?)(?!\[redacted|null\b|true\b|false\b|none\b|\*{3})[^\s"'\\,;&}\])]{6,400}/gi,
    replacement: '$1[redacted:named_secret]',
  },
];

/** One cheap look that most texts fail, so that clean text costs one scan. */
const SUSPICIOUS =
  /PRIVATE KEY|:\/\/[^\s/]{0,200}@|AKIA|ASIA|gh[pousr]_|github_pat_|xox|sk[-_]|pk[-_]|rk[-_]|AIza|eyJ|bearer|basic|passw|pwd|secret|api[_-]?key|access[_-]?key|token|private[_-]?key/i;

/** The text with every known kind of secret replaced by `[redacted:NAME]`. */
export function redactSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let clean = text;
  for (const { pattern, replacement } of SECRET_PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}
