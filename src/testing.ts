export { type Script, type ScriptedTurn, scriptedModel } from './models/scripted.ts';
