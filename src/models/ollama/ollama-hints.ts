import type { ServerHints } from '../chat/addressee.ts';

export const OLLAMA_HINTS: ServerHints = {
  unreachable: 'start it with `ollama serve`, or set OLLAMA_HOST to where it runs',
  checkHost: 'check OLLAMA_HOST and the network',
  slow: 'the server may be loading the model or busy with others: see `ollama ps`, or raise the first-token limit',
  missingModel: (model) => `ollama pull ${model}`,
  signIn: 'run `ollama signin`, or choose a local model',
  wrongHost: 'check that OLLAMA_HOST names the host as the server expects it',
  log: 'see the log of the Ollama server',
};
