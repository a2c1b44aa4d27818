/**
 * Whether a request's Host header names this machine by a name that no one else can give away. A page of the Internet whose name
 * was made to lead to 127.0.0.1 sends its own name, and must not read the log.
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  if (host === undefined) return false;
  const names = ['localhost', '127.0.0.1', '[::1]'];
  return names.some((name) => host.toLowerCase() === `${name}:${port}` || (port === 80 && host.toLowerCase() === name));
}
