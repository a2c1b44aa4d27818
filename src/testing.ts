export { type RecordedSession, recordedSession } from './app/recorded-session.ts';
export type { ReplayReport } from './app/replay-report.ts';
export { type Script, type ScriptedTurn, scriptedModel } from './models/scripted.ts';
