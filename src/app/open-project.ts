import type { Approve } from '../core/approval.ts';
import type { Event } from '../core/event.ts';
import type { Delta } from '../core/model.ts';
import type { ToolResult } from '../core/tool-result.ts';
import type { Wanted } from './answer-question.ts';
import type { RunReport } from './run-report.ts';

export interface ProjectOptions {
  /** The folder with `soloist.yaml`, or with data alone; the current one unless given. */
  readonly folder?: string;
  /** More sources, as `[NAME=]KIND:PATH`; paths are relative to the folder of the process. */
  readonly sources?: readonly string[];
  /** Where `SOLOIST_HOME`, `OLLAMA_HOST`, keys and `${NAME}` of the project are taken from; `process.env` unless given. */
  readonly environment?: NodeJS.ProcessEnv;
}

export interface RunOptions {
  /** As `--model`: `auto`, `rules`, `ollama/<name>`, `openai/<name>` or a name from `soloist.yaml`; what the agent's file says unless given. */
  readonly model?: string;
  /** Aborting it lets the agent conclude from what it has: the report comes all the same. */
  readonly signal?: AbortSignal;
  /** Every event of the run, once it is on disk. */
  readonly onEvent?: (event: Event) => void;
  /** Text and waiting of the model while it answers. */
  readonly onDelta?: (delta: Delta) => void;
  /** Asked before a call with effects runs, unless permissions decide it; without it the answer is no. */
  readonly approve?: Approve;
}

/** A project opened for a program: the same agents, tools, log and memory as on the command line. */
export interface OpenProject {
  readonly agents: readonly string[];
  readonly tools: readonly string[];
  /** One session: the report is what `soloist run --json` prints. @throws SoloistError for an agent or model that there is not. */
  run(agent: string, question: string, options?: RunOptions): Promise<RunReport>;
  /** Goes on with a session from its log; `-1` is the latest. @throws SoloistError where it cannot. */
  resume(session: string, options?: RunOptions): Promise<RunReport>;
  /** One tool by hand, validated as an agent's call is. @throws SoloistError `usage` for a tool or arguments that do not fit. */
  callTool(name: string, input: Readonly<Record<string, unknown>>): Promise<ToolResult>;
  /** Closes log, memory and sources; runs must have ended. */
  close(): Promise<void>;
}

/**
 * Opens a project, or a folder with only data. Runs of one project may go on side by side.
 *
 * @throws SoloistError `configuration` with every problem of every file.
 */
export async function openProject({ folder = '.', sources = [], environment = process.env }: ProjectOptions = {}): Promise<OpenProject> {
  // Loaded here, so that a file with only a tool pays for none of it.
  const [{ resolve }, { Scope }, { openWorkspace }, { answerQuestion }, { callTool }] = await Promise.all([
    import('node:path'),
    import('../core/scope.ts'),
    import('./workspace.ts'),
    import('./answer-question.ts'),
    import('./call-tool.ts'),
  ]);
  const workspace = await openWorkspace({ folder: resolve(folder), sourceFlags: sources, environment });
  const answer = async (wanted: Wanted, { signal, model, ...told }: RunOptions = {}): Promise<RunReport> => {
    const scope = new Scope();
    const work = new Scope(scope);
    const stop = (): void => work.stop({ kind: 'interrupted' });
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    try {
      return await answerQuestion(workspace, wanted, { scope, work, model, ...told });
    } finally {
      signal?.removeEventListener('abort', stop);
      scope.close();
    }
  };
  return {
    agents: workspace.project.agents.map(({ name }) => name),
    tools: [...workspace.tools.keys()],
    run: (agent, question, options) => answer({ agent, question }, options),
    resume: (session, options) => answer({ resume: session }, options),
    callTool: (name, input) => callTool(workspace, name, input),
    close: () => workspace.close(),
  };
}
