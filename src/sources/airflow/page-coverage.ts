/** What one page says: which listing it may belong to, the entries it holds, and how many the listing has. */
export interface PageClaim {
  /** The scope of each entry: the dag of a run, the dag and run of a task. */
  readonly scopes: ReadonlySet<string>;
  readonly entries: readonly string[];
  readonly total: number;
}

export interface Coverage {
  /** Entries that the source counts in the scope; 0 where it only counts several scopes together. */
  readonly total: number;
  readonly missing: number;
  /** True when what is missing may belong to other scopes of the same listing. */
  readonly shared: boolean;
}

/**
 * How many entries of each scope no page holds. A page says only how many entries its listing has; a page whose entries
 * share one scope is taken as a page of that scope's listing, unless a page of mixed scopes has the same total: then
 * both belong to one listing over many scopes, and what is missing there may be missing from any of them.
 */
export function measureCoverage(claims: readonly PageClaim[]): ReadonlyMap<string, Coverage> {
  const mixedTotals = new Set(claims.filter((claim) => claim.scopes.size > 1).map((claim) => claim.total));
  const listings = new Map<string, { scopes: Set<string>; entries: Set<string>; total: number }>();
  for (const claim of claims) {
    const [scope = ''] = claim.scopes;
    const mixed = mixedTotals.has(claim.total);
    const key = mixed ? `#${claim.total}` : `=${scope}`;
    const listing = listings.get(key) ?? { scopes: new Set(), entries: new Set(), total: 0 };
    listings.set(key, listing);
    listing.total = Math.max(listing.total, claim.total);
    for (const entry of claim.entries) listing.entries.add(entry);
    for (const one of claim.scopes) listing.scopes.add(one);
  }
  const covered = new Map<string, Coverage>();
  for (const listing of listings.values()) {
    const missing = Math.max(0, listing.total - listing.entries.size);
    for (const scope of listing.scopes) {
      const alone = listing.scopes.size === 1;
      const before = covered.get(scope);
      if (!before || missing < before.missing) covered.set(scope, { total: alone ? listing.total : 0, missing, shared: !alone });
    }
  }
  return covered;
}
