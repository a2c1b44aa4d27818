const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?::00)?(\.\d+)?\s?(?:Z|UTC|\+00(?::?00)?)?$/i;

/** A name as a token that compares: in lower case behind `=`; times in one form, however they are written. */
export function nameToken(name: string): string {
  const bare = name.trim();
  const moment = MOMENT.exec(bare);
  if (!moment) return `=${bare.toLowerCase()}`;
  const fraction = (moment[3] ?? '').replace(/\.?0+$/, '');
  return `=${moment[1]} ${moment[2]}${fraction}`;
}
