/** What was found by its surroundings once is a secret without them too: a model repeats a token alone. */
export interface KnownSecrets {
  /** Keeps a value that was found, where it cannot be an ordinary word. */
  keep(value: string, name: string): void;
  /** Whether a text, or the JSON that holds it, has any of them. */
  within(text: string): boolean;
  /** The text without them. */
  clean(text: string): string;
}

const SHORTEST = 12;
const LONGEST = 4_000;
/** The latest found are kept: looking for each costs a scan of every text. */
const MOST = 200;

/** Lives as long as the log is open, in memory alone. */
export function createKnownSecrets(): KnownSecrets {
  const known = new Map<string, string>();
  return {
    keep: (value, name) => {
      if (!isTelling(value)) return;
      known.delete(value);
      known.set(value, name);
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
    },
    within: (text) => {
      for (const value of known.keys()) if (text.includes(value)) return true;
      return false;
    },
    clean: (text) => {
      let rest = text;
      for (const [value, name] of known) if (rest.includes(value)) rest = rest.replaceAll(value, () => `[redacted:${name}]`);
      return rest;
    },
  };
}

/** Letters and digits mixed, long, in one piece: no word, name, date or figure that something else could be called. */
function isTelling(value: string): boolean {
  if (value.length < SHORTEST || value.length > LONGEST || !/^[A-Za-z0-9+/=_~.-]+$/.test(value)) return false;
  const changes = value.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[0-9])|\d(?=[A-Za-z])/g)?.length ?? 0;
  return /\d/.test(value) && /[A-Za-z]/.test(value) && changes >= 3;
}
