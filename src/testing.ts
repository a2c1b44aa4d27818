export { type RecordedSession, recordedSession } from './app/recorded-session.ts';
export type { ReplayReport } from './app/replay-report.ts';
export { type Script, type ScriptedTurn, scriptedModel } from './models/scripted.ts';
export {
  callsTools,
  done,
  type FakeAnswer,
  type FakeEnd,
  type FakeMessage,
  type FakeStep,
  fails,
  json,
  part,
  says,
} from './testing/fake-answer.ts';
export type { FakeEmbedding } from './testing/fake-embed.ts';
export { type FakeOllama, type FakeOllamaOptions, startFakeOllama } from './testing/fake-ollama.ts';
export { type FakeOpenAi, type FakeOpenAiOptions, startFakeOpenAi } from './testing/fake-openai.ts';
export type { FakeRequest, FakeServer } from './testing/fake-server.ts';
