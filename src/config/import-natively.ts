/** Node's own import, also where a test runner or the bundler has put its own in place of the keyword. */
export async function importNatively(url: string): Promise<Readonly<Record<string, unknown>>> {
  const source = 'data:text/javascript,export const load = (url) => import(url)';
  const native = (await import(source)) as { load: (url: string) => Promise<Readonly<Record<string, unknown>>> };
  return native.load(url);
}

/** A package as the module that it is, where what it has for `require` would not do. */
export async function importPackage(name: string): Promise<unknown> {
  return import(name);
}
