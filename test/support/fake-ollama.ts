export { callsTools, done, type FakeAnswer, type FakeStep, fails, part, says } from '../../src/testing/fake-answer.ts';
export {
  type FakeOllama,
  type FakeOllamaOptions,
  ollamaEnd,
  ollamaLine,
  startFakeOllama,
} from '../../src/testing/fake-ollama.ts';
export type { FakeRequest } from '../../src/testing/fake-server.ts';
