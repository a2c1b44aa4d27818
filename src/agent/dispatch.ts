import type { AgentMemory } from '../core/agent-memory.ts';
import type { Permissions } from '../core/agent-spec.ts';
import type { Approve } from '../core/approval.ts';
import type { ToolCall } from '../core/message.ts';
import type { OutputFolder, Webhooks } from '../core/output.ts';
import { Scope } from '../core/scope.ts';
import { type SourceCatalog, SourceChoiceError } from '../core/source.ts';
import type { Tool, ToolContext } from '../core/tool.ts';
import { failed, refused, type ToolOutcome } from '../core/tool-result.ts';
import { coerceArguments } from './coerce-arguments.ts';
import type { Shelf } from './load-tools.ts';
import { matchToolName } from './match-tool-name.ts';
import { strictestVerdict } from './permission.ts';
import { STOPPED_CODE } from './reopen-calls.ts';
import { watchTables } from './watch-tables.ts';

/** What every call of one agent is run with. */
export interface Dispatcher {
  /** `main`, or the id of the child's conclusion; begins the ids of its results. */
  readonly agent: string;
  /** The agent's name, for a question of approval. */
  readonly agentName: string;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Set when the tools are too many to show at once; `load_tools` is then one of them. */
  readonly shelf?: Shelf | undefined;
  /** The agent's own and those of its callers: the strictest holds. */
  readonly permissions: readonly Permissions[];
  readonly sources: SourceCatalog;
  readonly approve: Approve | undefined;
  readonly now: () => Date;
  readonly resultIds: () => readonly string[];
  readonly readReference: (reference: string) => string | undefined;
  readonly memory?: AgentMemory | undefined;
  readonly folder?: OutputFolder | undefined;
  readonly webhooks?: Webhooks | undefined;
}

/** A call made ready: the tool and the arguments it will get, or the outcome that stands in its place. */
export type PreparedCall =
  | { readonly ready: true; readonly tool: Tool; readonly input: Readonly<Record<string, unknown>>; readonly coercions: readonly string[] }
  | { readonly ready: false; readonly outcome: ToolOutcome };

type ReadyCall = PreparedCall & { readonly ready: true };

/** Finds the tool and makes the arguments fit its schema, only as the schema says; what does not fit goes back as text. */
export function prepareCall(call: ToolCall, dispatcher: Dispatcher): PreparedCall {
  const found = findTool(call.name, dispatcher.tools);
  if (typeof found === 'string') return { ready: false, outcome: failed('unknown_tool', `there is no tool "${call.name}"; ${found}`) };
  const tool = found;
  const shape = (): string => `Expected arguments of ${tool.name}: ${JSON.stringify(tool.parameters)}`;
  const coerced = coerceArguments(call.unreadable ?? call.arguments, tool.parameters);
  if (!coerced.ok) return { ready: false, outcome: failed('invalid_arguments', `${coerced.problem}. ${shape()}`) };
  const parsed = tool.input.safeParse(coerced.value);
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`).join('; ');
    return { ready: false, outcome: failed('invalid_arguments', `${issues}. ${shape()}`) };
  }
  return { ready: true, tool, input: parsed.data as Readonly<Record<string, unknown>>, coercions: coerced.coercions };
}

/** The tool that a called name stands for, or a suggestion where it stands for none. */
function findTool(called: string, tools: ReadonlyMap<string, Tool>): Tool | string {
  const exact = tools.get(called);
  if (exact) return exact;
  const match = matchToolName(called, [...tools.keys()]);
  return (match.name === undefined ? undefined : tools.get(match.name)) ?? match.suggestion;
}

/** A call that is looked at before it runs. */
export interface PermittedCall {
  readonly prepared: ReadyCall;
  readonly resultId: string;
  readonly scope: Scope;
  /** It was under way when its process ended. */
  readonly interrupted: boolean;
}

/** May the call run? A tool that must ask is refused where nobody can be asked. */
export function permit(call: PermittedCall, dispatcher: Dispatcher): ToolOutcome | undefined | Promise<ToolOutcome | undefined> {
  const { tool } = call.prepared;
  const verdict = strictestVerdict(asCalled(call.prepared), dispatcher.permissions);
  if (verdict === 'allow') return undefined;
  if (verdict === 'deny') return refused('not_permitted', `${tool.name} is denied by the permissions of this agent`);
  if (!dispatcher.approve)
    return refused('not_permitted', `${tool.name} needs approval and there is no terminal to ask at; allow it under permissions`);
  return askFor(call, dispatcher, dispatcher.approve);
}

/** A dry run reads, whatever the tool can do. */
function asCalled({ tool, input }: ReadyCall): Pick<Tool, 'name' | 'effect'> {
  return tool.isDryRun?.(input) ? { name: tool.name, effect: 'read' } : tool;
}

/** Whether a call may be made twice: it changes nothing outside the project. */
export function onlyReads(call: ReadyCall): boolean {
  return asCalled(call).effect === 'read';
}

/**
 * May a call run that was under way when its process ended? One that only reads may, as it might have then; one that
 * writes may have taken effect, so a person decides, whatever the permissions allow.
 */
export function permitAgain(call: PermittedCall, dispatcher: Dispatcher): ToolOutcome | undefined | Promise<ToolOutcome | undefined> {
  const { tool, input } = call.prepared;
  if (JSON.stringify(input).includes(REDACTED)) {
    return refused('arguments_redacted', `${tool.name} was not run again: its arguments held a secret, which the log does not keep`);
  }
  if (onlyReads(call.prepared) || strictestVerdict(tool, dispatcher.permissions) === 'deny') return permit(call, dispatcher);
  if (dispatcher.approve) return askFor(call, dispatcher, dispatcher.approve);
  const why = `the run ended while ${tool.name} was under way, so it may have taken effect, and there is no terminal to ask at`;
  return refused('call_unfinished', `${why}; it was not run again: look whether it took effect`);
}

/** How the log marks what it left out (`src/store/redact-secrets.ts`). */
const REDACTED = '[redacted:';

/** Asks, and shows what would change where the tool can tell. A dry run that finds the call wrong is the answer. */
async function askFor(
  { prepared: { tool, input }, resultId, scope, interrupted }: PermittedCall,
  dispatcher: Dispatcher,
  approve: Approve,
): Promise<ToolOutcome | undefined> {
  const dryRun = tool.isDryRun && (await runTool({ tool, input: { ...input, dry_run: true }, resultId }, scope, dispatcher));
  if (dryRun && dryRun.status !== 'ok' && dryRun.status !== 'partial') return dryRun;
  const approved = await approve({
    ...{ agent: dispatcher.agentName, tool: tool.name, arguments: input },
    ...(dryRun ? { preview: dryRun.data } : {}),
    ...(interrupted ? { interrupted } : {}),
  });
  if (approved) return undefined;
  return interrupted
    ? refused('call_unfinished', `the run ended while ${tool.name} was under way, and running it again was not approved`)
    : refused('not_approved', `${tool.name} was not approved`);
}

/** The call that a tool is run for. */
export interface ToolRun {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly resultId: string;
}

/** Runs a tool within its time. Never rejects: the tool's own failure is an `error` outcome. */
export function runTool({ tool, input, resultId }: ToolRun, scope: Scope, dispatcher: Dispatcher): Promise<ToolOutcome> {
  const own = new Scope(scope);
  const { sources, withLosses } = watchTables(dispatcher.sources);
  const { now, resultIds, readReference, memory, folder, webhooks } = dispatcher;
  const context: ToolContext = { sources, scope: own, now, resultId, resultIds, readReference, memory, folder, webhooks };
  return new Promise((resolve) => {
    const timer = setTimeout(() => own.stop({ kind: 'timeout', seconds: tool.timeoutSeconds }), tool.timeoutSeconds * 1000);
    const settle = (outcome: ToolOutcome): void => {
      clearTimeout(timer);
      own.close();
      resolve(withLosses(outcome));
    };
    const fail = (error: unknown): void => settle(outcomeOfError(error, tool));
    try {
      tool.run(input, context).then(settle, fail);
    } catch (error) {
      fail(error);
    }
    if (!tool.endsItself) own.add({ stop: () => settle(outcomeOfStop(tool, scope.stopped)) });
  });
}

/** Its own time may be over, or the run is stopped, whose time may be over. */
function outcomeOfStop(tool: Tool, isRunStopped: boolean): ToolOutcome {
  return isRunStopped
    ? failed(STOPPED_CODE, `the run was stopped while ${tool.name} was under way`)
    : failed('timeout', `${tool.name} did not finish within ${tool.timeoutSeconds} s`);
}

const REFUSALS = new Set(['SourceChoiceError', 'TableNotFoundError', 'RunNotFoundError', 'FileAccessError']);

function outcomeOfError(error: unknown, tool: Tool): ToolOutcome {
  if (error instanceof SourceChoiceError) return refused('source_choice', error.message);
  if (error instanceof Error && REFUSALS.has(error.name)) return refused('not_found', error.message);
  const message = error instanceof Error ? error.message : String(error);
  return failed('tool_failed', `${tool.name} failed: ${message.split('\n', 1)[0]?.slice(0, 500)}`);
}
