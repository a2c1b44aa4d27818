export { callsTools, done, type FakeAnswer, part, says } from '../../src/testing/fake-answer.ts';
export { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from '../../src/testing/fake-ollama.ts';
export type { FakeRequest } from '../../src/testing/fake-server.ts';
