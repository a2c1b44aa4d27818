/** An address as it may be shown: without a user name and password. */
export function hostForDisplay(host: string): string {
  return host.replace(/\/\/[^/@]*@/, '//');
}
