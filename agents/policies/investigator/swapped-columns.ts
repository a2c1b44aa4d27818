import { type Layout, middle, middleText } from './file-layout.ts';

/** Two columns have changed places when each is within this share of what the other usually is, and they differ by more. */
const NEAR = 0.35;
const APART = 1.8;
/** The middle of fewer rows moves by chance. */
const LEAST_ROWS = 12;

/** Columns of one file that hold what the other of them holds in the other files, under an unchanged header. */
export function swappedColumns(layout: Layout, all: readonly Layout[]): string[] {
  if ((layout.profile?.rows ?? 0) < LEAST_ROWS) return [];
  const names = layout.columns.map(({ name }) => name);
  const usual = new Map(names.map((name) => [name, usualMiddle(layout, all, name)] as const));
  return names.flatMap((left, place) =>
    names.slice(place + 1).flatMap((right) => {
      const [ownLeft, ownRight] = [middle(layout.profile, left), middle(layout.profile, right)];
      const [usualLeft, usualRight] = [usual.get(left), usual.get(right)];
      if (ownLeft === null || ownRight === null || !usualLeft || !usualRight) return [];
      const apart = Math.max(usualLeft, usualRight) >= Math.min(usualLeft, usualRight) * APART;
      if (!apart || !isNear(ownLeft, usualRight) || !isNear(ownRight, usualLeft)) return [];
      return [
        `the values of \`${left}\` and \`${right}\` have changed places (middle values \`${left}\` ${middleText(layout.profile, left)} and \`${right}\` ${middleText(layout.profile, right)})`,
      ];
    }),
  );
}

function usualMiddle(layout: Layout, all: readonly Layout[], name: string): number | undefined {
  const others = all.flatMap((other) => (other === layout ? [] : (middle(other.profile, name) ?? []))).sort((left, right) => left - right);
  return others.length < 2 ? undefined : others[Math.floor(others.length / 2)];
}

function isNear(value: number, usual: number): boolean {
  return Math.abs(value - usual) <= Math.abs(usual) * NEAR;
}
