import type { DistilledFact } from '../core/memory-event.ts';
import type { LogPlace, NoteKind } from '../core/note.ts';
import type { Finding } from '../core/tool.ts';
import { datedFact, normaliseFact, overlap, plainFact, sayTheSame } from './normalise-fact.ts';
import { filingOf, isNoteKey } from './note-key.ts';
import type { SessionFacts } from './session-facts.ts';

/** Most notes that one round of a session may leave. */
export const MOST_FACTS = 3;

/** What only hands on what is known already: a claim that rests on nothing else is no news. */
const MEMORY_TOOLS = new Set(['recall', 'remember', 'graph_walk', 'graph_add', 'scratchpad', 'read_skill', 'record_finding']);

const CONSTRAINT =
  /\b(?:must(?: not)?|never|always|cannot|can not|may not|requires?|is required|at least|no more than|limited to|not idempotent|is idempotent|not unique|no primary key|has no key|only (?:one|once|after|before|when|if)|only the)\b/i;
const DECISION =
  /\b(?:decided|agreed|we (?:will|now)|from now on|switched (?:from|to|over)|chose|replaced (?:by|with)|instead of|no longer)\b/i;
/** What holds while it is said and not next week. */
const TRANSIENT = /\b(?:currently|right now|at the moment|still running|is running|in progress|not (?:yet )?finished|pending)\b/i;

export interface Gated {
  readonly facts: readonly DistilledFact[];
  readonly refused: readonly { readonly basis: string; readonly why: string }[];
}

/** A claim that may become a note, before it has been let through. */
export interface Candidate {
  readonly basis: string;
  readonly kind: NoteKind | undefined;
  readonly text: string;
  readonly key?: string;
  readonly multiValued?: boolean;
  readonly evidence: readonly string[];
  readonly place: LogPlace;
  readonly agent: string;
}

/**
 * Lets through what a session decided, fixed or found to be a constraint, at most {@link MOST_FACTS}: from its findings and from what its
 * agents asked to be remembered, only where the session came to an answer and the claim rests on data. By fixed rules.
 */
export function passGate(facts: SessionFacts): Gated {
  if (facts.status !== 'ok') return { facts: [], refused: [] };
  const passed: Candidate[] = [];
  const refused: { basis: string; why: string }[] = [];
  for (const candidate of candidatesOf(facts)) {
    const why = refusalOf(candidate, facts) ?? repeats(candidate, passed);
    if (why) refused.push({ basis: candidate.basis, why });
    else if (passed.length >= MOST_FACTS) refused.push({ basis: candidate.basis, why: `the session has left ${MOST_FACTS} notes already` });
    else passed.push(candidate);
  }
  return { facts: passed.map((candidate) => factOf(candidate, facts)), refused };
}

/** Wishes first, then causes, constraints and decisions, each in the order in which they were recorded. */
export function candidatesOf(facts: SessionFacts): readonly Candidate[] {
  const wishes = facts.proposals.map(
    ({ proposal, place }): Candidate => ({
      basis: proposal.id,
      kind: proposal.kind,
      text: proposal.text,
      key: proposal.key,
      multiValued: proposal.multiValued,
      evidence: proposal.evidence,
      place,
      agent: proposal.agent,
    }),
  );
  const findings = facts.findings.map(
    ({ finding, place }): Candidate => ({
      basis: finding.id,
      kind: kindOf(finding),
      text: finding.claim,
      evidence: finding.evidence,
      place,
      agent: facts.agent,
    }),
  );
  const rank = ({ kind }: Candidate): number => ['bug', 'constraint', 'decision'].indexOf(kind ?? '') + (kind === undefined ? 4 : 0);
  return [...wishes, ...findings.toSorted((left, right) => rank(left) - rank(right))];
}

/** Why a candidate is kept out, or nothing. */
export function refusalOf({ kind, text, key, evidence }: Candidate, facts: SessionFacts): string | undefined {
  if (kind === undefined) return 'neither a decision, nor a bug, nor a constraint';
  if (key !== undefined && !isNoteKey(key)) return `"${key}" is no key`;
  if (plainFact(text).length < 12) return 'too short to be understood alone';
  if (TRANSIENT.test(text)) return 'it says what held for the moment';
  if (!evidence.some((id) => restsOnData(id, facts))) return 'it rests on no data of this session';
  if (overlap(text, facts.question) > 0.9 && normaliseFact(text).length <= normaliseFact(facts.question).length + 10)
    return 'the question said it';
  return undefined;
}

function restsOnData(id: string, { tools }: SessionFacts): boolean {
  const tool = tools.get(id);
  // The conclusion of a subagent has no tool result of its own under its id.
  return tool === undefined ? /^c\d/.test(id) : !MEMORY_TOOLS.has(tool);
}

function repeats({ text }: Candidate, passed: readonly Candidate[]): string | undefined {
  const same = passed.some((other) => normaliseFact(other.text) === normaliseFact(text) || overlap(other.text, text) > 0.95);
  return same ? 'said already by another of this session' : undefined;
}

function kindOf({ kind, claim, confidence }: Finding): NoteKind | undefined {
  if (confidence === 'low') return undefined;
  if (kind === 'cause') return 'bug';
  if (kind !== 'observation') return undefined;
  if (DECISION.test(claim)) return 'decision';
  return CONSTRAINT.test(claim) ? 'constraint' : undefined;
}

function factOf({ basis, kind = 'fact', text, key, multiValued, place, agent }: Candidate, facts: SessionFacts): DistilledFact {
  return {
    ...filingOf({ kind, text, key: keyOfRecalled(text, facts) ?? key, multiValued }, facts.question),
    kind,
    text: datedFact(text, facts.closedAt),
    basis: [basis],
    places: placesOf([place], facts),
    agent,
  };
}

/** The key of a recalled note that a claim says again: it confirms that note, and makes no other beside it. */
export function keyOfRecalled(claim: string, { recalled }: SessionFacts): string | undefined {
  return recalled.find(({ text }) => sayTheSame(text, claim) || isCutFrom(text, claim))?.key;
}

/** A recalled line may have been shortened at its end. */
function isCutFrom(line: string, claim: string): boolean {
  const kept = line.replace(/\s*(?:\[…\]|…)$/, '');
  return kept !== line && normaliseFact(claim).startsWith(normaliseFact(kept));
}

/** Where a fact was said: in its claims, and in the conclusion that holds them. */
export function placesOf(claims: readonly LogPlace[], { concluded }: SessionFacts): readonly LogPlace[] {
  return [...new Map([...claims, concluded].map((place) => [JSON.stringify(place), place])).values()];
}
