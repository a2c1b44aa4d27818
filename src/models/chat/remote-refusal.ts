import type { ModelFailure } from '../../core/model.ts';

/** A model that a local server would pass on to another machine gets no prompt unless that is allowed. */
export function remoteRefusal(name: string, remoteHost: string): ModelFailure {
  return {
    kind: 'refused',
    message: `${name} does not run here but on ${remoteHost}; no prompt was sent`,
    fix: 'choose a local model, or allow remote models in the settings (allow_remote: true)',
  };
}
