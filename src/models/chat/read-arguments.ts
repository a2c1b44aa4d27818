/** Arguments as an object, or the raw text that could not be read as one. */
export type ReadArguments =
  | { readonly arguments: Readonly<Record<string, unknown>>; readonly unreadable?: undefined }
  | { readonly arguments: Readonly<Record<string, never>>; readonly unreadable: string };

/** Reads what a model gave as arguments: an object, a JSON text of one (encoded once or twice), or nothing at all. */
export function readArguments(raw: unknown): ReadArguments {
  let value = raw;
  for (let times = 0; typeof value === 'string' && times < 3; times++) {
    if (value.trim() === '') return { arguments: {} };
    try {
      value = JSON.parse(quoteLargeIntegers(value));
    } catch {
      break;
    }
  }
  if (value === null || value === undefined) return { arguments: {} };
  if (typeof value === 'object' && !Array.isArray(value)) return { arguments: value as Record<string, unknown> };
  return { arguments: {}, unreadable: typeof raw === 'string' ? raw : JSON.stringify(raw) };
}

/** JSON text in which integers that a JavaScript number would round are texts instead; anything else stays as it is. */
export function quoteLargeIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  // Strings are matched first so that digits inside them are left alone.
  return json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) => {
    const isInteger = /^-?\d{16,}$/.test(token);
    return isInteger && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
  });
}
