import type { Scope } from '../core/scope.ts';

/** One Ctrl-C lets the agent conclude, a second stops it at once, a third ends the process; the log has all that was acknowledged. */
export function stopOnInterrupt(scope: Scope, work: Scope): () => void {
  let presses = 0;
  const onSignal = (): void => {
    presses++;
    if (presses === 1) work.stop({ kind: 'interrupted' });
    else if (presses === 2) scope.stop({ kind: 'interrupted' });
    else process.exit(130);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return () => {
    process.removeListener('SIGINT', onSignal);
    process.removeListener('SIGTERM', onSignal);
  };
}
