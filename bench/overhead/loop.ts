// What the adapter in peers/soloist runs: the loop's own modules, bundled by `build-loop.mjs` as those that ship.
export { Recorder } from '../../src/agent/recorder.ts';
export { runAgent } from '../../src/agent/run-agent.ts';
export { DEFAULT_LIMITS } from '../../src/core/agent-spec.ts';
export { Scope } from '../../src/core/scope.ts';
export { defineTool } from '../../src/core/tool.ts';
export { complete } from '../../src/core/tool-result.ts';
export { createOllamaModel } from '../../src/models/ollama/ollama-model.ts';
export { openEventLog } from '../../src/store/open-event-log.ts';
export { z } from 'zod';

export const loadSession = async () => ({ ...(await import('../../src/app/workspace.ts')), ...(await import('../../src/app/run-session.ts')) });
