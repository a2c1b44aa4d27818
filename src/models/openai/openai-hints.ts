import type { ServerHints } from '../chat/addressee.ts';

export const OPENAI_HINTS: ServerHints = {
  unreachable: 'start the server, or set OPENAI_BASE_URL to where it runs (with its /v1)',
  checkHost: 'check OPENAI_BASE_URL and the network',
  slow: 'the server may be loading the model or busy with others; raise the first-token limit if it only needs longer',
  missingModel: () => 'name a model that the server lists under /models',
  signIn: 'set OPENAI_API_KEY to a valid key, or name a server with OPENAI_BASE_URL',
  wrongHost: 'check OPENAI_BASE_URL, and what the key may be used for',
  log: 'see the log of the model server',
};
