import { showEngineMessage } from '../tables/query-guard.ts';

interface PostgresError {
  readonly code?: string;
  readonly message?: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly position?: string;
}

/** Host, port and database of a connection string; never its user or password. */
export function showPostgresLocation(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    return `postgres://${searchParams.get('host') ?? (hostname || 'localhost')}${port ? `:${port}` : ''}${pathname}`;
  } catch {
    return 'postgres (connection string not readable)';
  }
}

/** What went wrong in words for the one who asked, without anything of the connection string but host and database. */
export function explainPostgresError(error: unknown, url: string): string {
  const { code, message, detail, hint } = (error ?? {}) as PostgresError;
  const place = showPostgresLocation(url);
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return `no PostgreSQL server answers at ${place}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host of ${place} is not known`;
  if (code === '28P01' || code === '28000') return `${place} refuses the user or the password`;
  if (code === '3D000') return `there is no such database: ${place}`;
  if (/timeout exceeded when trying to connect|Connection terminated/i.test(message ?? '')) return `${place}: ${message}`;
  const lines = [showEngineMessage(message ?? String(error)), detail, hint].filter((line) => line !== undefined && line !== '');
  return withoutSecrets(lines.join('\n'), url).slice(0, 800);
}

/** Whether the server turned it down because it is no plain reading SELECT. */
export function isRefusal(error: unknown): boolean {
  const { code = '', message = '' } = (error ?? {}) as PostgresError;
  return (
    code === '25006' ||
    /multiple commands|cannot insert multiple|must not contain data-modifying|must not contain|FOR UPDATE|INTO is not allowed|cannot specify INTO/i.test(
      message,
    )
  );
}

function withoutSecrets(text: string, url: string): string {
  try {
    const { username, password } = new URL(url);
    return [password, decodeURIComponent(password), url]
      .filter((secret) => secret.length > 2 && secret !== username)
      .reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text);
  } catch {
    return text.replaceAll(url, '***');
  }
}
