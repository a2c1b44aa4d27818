import type { AgentSpec, Permissions } from './agent-spec.ts';
import type { AuditThresholds } from './audit-thresholds.ts';
import type { NoteKind } from './note.ts';
import type { Skill } from './skill.ts';
import type { SourceSpec } from './source-spec.ts';

/** How one named model of a project is to be called. */
export interface ModelSettings {
  /** `auto`, `rules`, `ollama/<name>` or `openai/<name>`. */
  readonly model: string;
  readonly temperature?: number;
  readonly seed?: number;
  /** How long the server keeps the model loaded: `10m`, or seconds; -1 for ever. */
  readonly keepAlive?: string | number;
  readonly think?: boolean | 'low' | 'medium' | 'high';
  /** The most tokens of the model's window to use. */
  readonly contextTokens?: number;
  /** Whether a model may be used that its server only passes on to another machine. */
  readonly allowRemote?: boolean;
  /** Calls that may run at once on the model's server. */
  readonly parallel?: number;
  /** Price of a million tokens, in any one currency. */
  readonly price?: { readonly input: number; readonly output: number };
  /** Models to try in this order when this one cannot be reached. */
  readonly fallback?: readonly string[];
}

/** What a project keeps out of its log beyond the shipped kinds. Only the name is ever logged. */
export interface RedactionPattern {
  /** snake_case; stands in the log as `[redacted:NAME]`. */
  readonly name: string;
  /** A regular expression whose repetitions are bounded, case-sensitive. */
  readonly pattern: string;
}

export interface MemorySettings {
  /** Whether notes of earlier sessions may enter the window as background. */
  readonly recall?: boolean;
  /** Whether a session may leave notes. */
  readonly write?: boolean;
  /** Absolute paths of Markdown files or folders of them. */
  readonly skills?: readonly string[];
  /** Who shares the notes: `home` is every project of the same home folder that says so too. */
  readonly scope?: 'project' | 'agent' | 'home';
  /** How notes and log share what may be recalled: one list by score, or at most half of the room for notes and the rest for the log. */
  readonly split?: 'fused' | 'even';
  /** `full` also survives a loss of power, `normal` a killed process. */
  readonly synchronous?: 'normal' | 'full';
  readonly redact?: readonly RedactionPattern[];
  /** Days after which notes of a kind leave recall, counted from when they were last confirmed. */
  readonly retention?: Readonly<Partial<Record<NoteKind, number>>>;
}

/** A folder as it is to be worked on: `soloist.yaml` validated, with every default filled in. */
export interface Project {
  /** Absolute. */
  readonly folder: string;
  /** Absolute path of `soloist.yaml`, if there is one. */
  readonly file?: string;
  readonly name: string;
  /** By name; `default` is always there. */
  readonly models: Readonly<Record<string, ModelSettings>>;
  readonly sources: readonly SourceSpec[];
  /** The project's own, then the shipped ones that no own one replaces. */
  readonly agents: readonly AgentSpec[];
  /** Absolute paths of the user's tool files. */
  readonly toolFiles: readonly string[];
  readonly memory: MemorySettings;
  /** The project's own, then the shipped ones that no own one replaces. */
  readonly skills: readonly Skill[];
  readonly permissions: Permissions;
  /** Addresses that `notify` may send to, by name; secrets, never shown. */
  readonly webhooks: Readonly<Record<string, string>>;
  /** What the audit of delegations asks for. */
  readonly audit: AuditThresholds;
}
