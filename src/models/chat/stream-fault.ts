/** What ended a stream other than its last line. */
export type StreamFault =
  | { readonly kind: 'broken_line'; readonly line: string }
  | { readonly kind: 'server_error'; readonly error: unknown }
  | { readonly kind: 'loop' }
  | { readonly kind: 'incomplete'; readonly looped: boolean };
