import { type Layout, LEAST_ROWS, middle, middleText, usualLayout } from './file-layout.ts';

/** Two columns have changed places when each is within this share of what the other usually is, and they differ by more. */
const NEAR = 0.35;
const APART = 1.8;

/** Columns of one file that hold what the other of them holds in the other files, under an unchanged header. */
export function swappedColumns(layout: Layout, all: readonly Layout[]): string[] {
  if ((layout.profile?.rows ?? 0) < LEAST_ROWS) return [];
  const names = layout.columns.map(({ name }) => name);
  const usual = new Map(names.map((name) => [name, middle(usualLayout(layout, all, name)?.profile, name)] as const));
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

function isNear(value: number, usual: number): boolean {
  return Math.abs(value - usual) <= Math.abs(usual) * NEAR;
}
