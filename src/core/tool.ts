import { z } from 'zod';
import type { AgentMemory } from './agent-memory.ts';
import type { JsonSchema } from './model.ts';
import type { OutputFolder, Webhooks } from './output.ts';
import type { Scope } from './scope.ts';
import type { SourceCatalog } from './source.ts';
import type { ToolOutcome } from './tool-result.ts';

/** `read` changes nothing outside our own folder; `write` does, and needs permission. */
export type ToolEffect = 'read' | 'write';

/** A claim that an agent stands by, with the ids of the tool results it rests on. */
export interface Finding {
  readonly id: string;
  readonly kind: FindingKind;
  readonly claim: string;
  readonly evidence: readonly string[];
  readonly confidence: 'high' | 'medium' | 'low';
  /** What observation would refute it. */
  readonly refutedBy?: string;
}

export type FindingKind = 'cause' | 'observation' | 'ruled_out' | 'not_checked';

/** What a tool may use while it runs. */
export interface ToolContext {
  readonly sources: SourceCatalog;
  /** Stops when the call's time is over or the run is stopped. `scope.signal` for APIs that want a signal. */
  readonly scope: Scope;
  /** The one clock of the run; tests set it. */
  readonly now: () => Date;
  /** The id that this call's result will have. */
  readonly resultId: string;
  /** Ids of the tool results of this agent so far: what may be cited. */
  readonly resultIds: () => readonly string[];
  /** The whole of a result that was too large for the window, by the `reference` it was given. */
  readonly readReference: (reference: string) => string | undefined;
  /** Absent where a tool is run by hand, without a session. */
  readonly memory?: AgentMemory | undefined;
  /** The project's own folder, where reports and checks are written. */
  readonly folder?: OutputFolder | undefined;
  /** Addresses that messages can be sent to, by the name the project gives them. */
  readonly webhooks?: Webhooks | undefined;
}

export interface ToolDefinition<Input extends z.ZodObject = z.ZodObject, Data = unknown> {
  /** snake_case, a verb and its object. */
  readonly name: string;
  /** What it does, what it returns, when to use it: the model chooses by this. */
  readonly description: string;
  readonly input: Input;
  readonly output: z.ZodType<Data>;
  readonly effect: ToolEffect;
  /** Seconds until the call is stopped; 60 unless set. */
  readonly timeoutSeconds?: number;
  /** The most characters of its result in the window; a tool's default unless set. */
  readonly resultCharacters?: number;
  /** True for a tool that ends by itself when its scope stops, and still has something to answer then. */
  readonly endsItself?: boolean;
  /** For a tool that writes: whether a call with this input only shows what would change. Such a call needs no approval. */
  readonly isDryRun?: (input: z.output<Input>) => boolean;
  /** One call that works on the bundled example, for the documentation. */
  readonly example?: z.input<Input>;
  /**
   * Answers an outcome; a throw counts as the tool's own failure and becomes an `error` result. Code that needs a
   * failure shape returns `refused` or `failed`.
   */
  run(input: z.output<Input>, context: ToolContext): Promise<ToolOutcome<Data | { message: string }>>;
}

/** A tool that is ready to be offered: its schema is turned into JSON once. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly timeoutSeconds: number;
  readonly endsItself: boolean;
  readonly isDryRun: ((input: Readonly<Record<string, unknown>>) => boolean) | undefined;
  readonly resultCharacters: number | undefined;
  readonly parameters: JsonSchema;
  readonly outputSchema: () => JsonSchema;
  /** What its `data` look like; made with the definition, never compiled again. */
  readonly output?: z.ZodType;
  readonly example: Readonly<Record<string, unknown>> | undefined;
  readonly input: z.ZodObject;
  run(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolOutcome>;
}

const compiled = new WeakMap<z.ZodObject, JsonSchema>();

/** The schema as JSON, made once however many tools share it. */
function parametersOf(input: z.ZodObject): JsonSchema {
  const known = compiled.get(input);
  if (known) return known;
  const { $schema, ...parameters } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>;
  compiled.set(input, parameters);
  return parameters;
}

/**
 * Makes a tool from a typed definition.
 *
 * @throws RangeError if the name is not snake_case or the description is empty: a mistake of the tool's author.
 */
export function defineTool<Input extends z.ZodObject, Data>(definition: ToolDefinition<Input, Data>): Tool {
  if (!/^[a-z][a-z0-9_]{1,63}$/.test(definition.name)) throw new RangeError(`tool name "${definition.name}" is not snake_case`);
  if (!definition.description.trim()) throw new RangeError(`tool "${definition.name}" has no description`);
  return {
    name: definition.name,
    description: definition.description,
    effect: definition.effect,
    timeoutSeconds: definition.timeoutSeconds ?? 60,
    endsItself: definition.endsItself ?? false,
    isDryRun: definition.isDryRun as Tool['isDryRun'],
    resultCharacters: definition.resultCharacters,
    parameters: parametersOf(definition.input),
    output: definition.output,
    outputSchema: () => z.toJSONSchema(definition.output, { unrepresentable: 'any' }) as JsonSchema,
    example: definition.example as Readonly<Record<string, unknown>> | undefined,
    input: definition.input,
    run: (input, context) => definition.run(input as z.output<Input>, context),
  };
}
