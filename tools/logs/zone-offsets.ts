/** Minutes east of UTC by abbreviation; those that more than one place uses are read as the first and said to be ambiguous. */
const OFFSETS: Readonly<Record<string, number>> = {
  Z: 0,
  UTC: 0,
  GMT: 0,
  WET: 0,
  WEST: 60,
  BST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  SAST: 120,
  EEST: 180,
  MSK: 180,
  TRT: 180,
  IST: 330,
  PKT: 300,
  ICT: 420,
  WIB: 420,
  AWST: 480,
  HKT: 480,
  SGT: 480,
  JST: 540,
  KST: 540,
  ACST: 570,
  AEST: 600,
  ACDT: 630,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
  BRT: -180,
  ART: -180,
  NST: -210,
  AST: -240,
  EDT: -240,
  EST: -300,
  CDT: -300,
  CST: -360,
  MDT: -360,
  MST: -420,
  PDT: -420,
  PST: -480,
  AKDT: -480,
  AKST: -540,
  HST: -600,
};

const AMBIGUOUS: ReadonlySet<string> = new Set(['BST', 'IST', 'CST', 'CDT', 'EST', 'EDT', 'AST', 'MST', 'PST', 'ART', 'NST']);

/** Minutes east of UTC that `Z`, `+0100`, `+01:00`, `+01` or an abbreviation stands for; undefined when unknown. */
export function zoneOffset(text: string): number | undefined {
  const first = text.charCodeAt(0);
  if (first === 0x2b || first === 0x2d || first === 0x2212) {
    const found = /^[+\-−](\d\d):?(\d\d)?(?::?\d\d)?$/.exec(text);
    if (!found) return undefined;
    const minutes = Number(found[1]) * 60 + Number(found[2] ?? 0);
    return minutes > 18 * 60 ? undefined : first === 0x2b ? minutes : -minutes;
  }
  return OFFSETS[text] ?? OFFSETS[text.toUpperCase()];
}

/** True for an abbreviation that several zones share, so that another reading is possible. */
export function isAmbiguousZone(text: string): boolean {
  return AMBIGUOUS.has(text.toUpperCase());
}
