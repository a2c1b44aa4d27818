import type { ModelFailure } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import { describeOutcome } from '../chat/describe-failure.ts';
import type { ServerLink } from '../chat/server-link.ts';
import type { OllamaSettings } from './ollama-settings.ts';

/** What a model that is in nobody's use is told: to be loaded, or to give its memory back. */
export interface HeldModel {
  /** Loads the model with the window that the run will ask for; a failure where it cannot be. Never rejects. */
  warm(scope: Scope, windowTokens: number): Promise<ModelFailure | undefined>;
  /** Unloads the model. Never rejects. */
  release(scope: Scope): Promise<ModelFailure | undefined>;
}

/** Chats without messages load a model, and with a keep-alive of 0 unload it. */
export function holdModel(link: ServerLink): HeldModel {
  const { keepAlive = '30m', options = {} } = link.settings as OllamaSettings;
  return {
    warm: async (scope, windowTokens) => {
      const unfit = link.isCleared ? undefined : await link.learn(scope);
      if (unfit) return unfit;
      const window = Math.min(windowTokens, link.traits?.trainedWindow ?? windowTokens);
      return send(link, scope, { keep_alive: keepAlive, shift: false, options: { ...options, num_ctx: window } });
    },
    release: (scope) => send(link, scope, { keep_alive: 0 }),
  };
}

async function send(link: ServerLink, scope: Scope, fields: object): Promise<ModelFailure | undefined> {
  const outcome = await link.transport.send({
    method: 'POST',
    path: link.dialect.path,
    body: [Buffer.from(JSON.stringify({ model: link.name, messages: [], stream: false, ...fields }))],
    scope,
    watchdogs: link.watchdogs,
    onText: () => 'more',
  });
  return outcome.kind === 'complete' ? undefined : describeOutcome(outcome, link.addressee);
}
