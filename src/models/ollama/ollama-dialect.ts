import type { ConversationOpening } from '../../core/model.ts';
import type { Scope } from '../../core/scope.ts';
import type { Dialect } from '../chat/dialect.ts';
import { remoteRefusal } from '../chat/remote-refusal.ts';
import type { ServerLink } from '../chat/server-link.ts';
import { compileHead } from './compile-head.ts';
import { isCloudName, readTraits } from './inspect-model.ts';
import { NdjsonReader } from './ndjson-reader.ts';
import { OLLAMA_ENCODING } from './ollama-encoding.ts';
import { findByName, readInstalled, readRunning } from './read-lists.ts';
import { sendChat } from './send-chat.ts';

/** Chats of Ollama's own protocol. */
export const OLLAMA_DIALECT: Dialect = {
  encoding: OLLAMA_ENCODING,
  path: '/api/chat',
  send: sendChat,
  inspect: async (link, scope) => {
    // The name alone says where the prompts would go, so nothing is asked.
    if (isCloudName(link.name) && !link.settings.allowRemote) return { failure: remoteRefusal(link.name, 'ollama.com') };
    return readTraits({ ...questionOf(link, scope), model: link.name });
  },
  readDigest: async (link, scope) => findByName(await readInstalled(questionOf(link, scope)), link.name)?.digest,
  readLoadedWindow: async (link, scope) => findByName(await readRunning(questionOf(link, scope)), link.name)?.context_length,
  leastWindow: 4_096,
  windowFor,
  compileHead,
  openReader: (onDelta, detectLoops) => new NdjsonReader(onDelta, detectLoops),
};

/** The same for all agents of a run, since a server that is asked for another window loads the model anew. */
function windowFor({ settings, traits }: ServerLink, { contextTokens }: ConversationOpening): number {
  return Math.min(
    Math.max(contextTokens, settings.runWindowTokens ?? 0),
    settings.contextTokens ?? Number.POSITIVE_INFINITY,
    traits?.trainedWindow ?? Number.POSITIVE_INFINITY,
  );
}

function questionOf({ transport, host, inspection }: ServerLink, scope: Scope) {
  return { transport, host, scope, watchdogs: inspection };
}
