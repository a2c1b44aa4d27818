import type { Scope } from '../../core/scope.ts';

/** Waits, or less if the scope stops meanwhile. */
export async function pause(milliseconds: number, scope: Scope): Promise<void> {
  if (milliseconds <= 0 || scope.stopped) return;
  await new Promise<void>((resolve) => {
    const hook = {
      stop: () => {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      scope.remove(hook);
      resolve();
    }, milliseconds);
    scope.add(hook);
  });
}
