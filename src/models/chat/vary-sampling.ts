import type { Variation } from './retry-ladder.ts';
import type { ServerSettings } from './server-settings.ts';

const WARMER = 0.3;

/** The temperature of a try; `undefined` leaves it to the server. */
export function temperatureFor({ temperature }: ServerSettings, { warmer }: Variation): number | undefined {
  return warmer ? Math.min(1, (temperature ?? 0.4) + WARMER) : temperature;
}

/** The seed of a try: another one for each retry that wants to differ. */
export function seedFor({ seed }: ServerSettings, variation: Variation): number | undefined {
  return variation.seed === undefined ? seed : (seed ?? 0) + 1_000 + variation.seed;
}
