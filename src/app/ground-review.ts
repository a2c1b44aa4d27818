import type { Review } from '../agent/run-agent.ts';
import type { AgentSpec } from '../core/agent-spec.ts';
import type { ChildConclusion } from '../core/conclusion.ts';
import type { Grounding } from '../core/figure.ts';
import { renderTask, type Task } from '../core/task.ts';
import type { Finding } from '../core/tool.ts';
import { groundAnswer, type PlacedFigure, type PlacedGrounding } from '../grounding/ground-answer.ts';
import type { GroundingResult } from '../grounding/result-index.ts';
import type { Member } from './agent-team.ts';

/** What stands behind a figure that no tool result holds, in the answers of strict agents. */
export const UNSUPPORTED_MARK = ' (unsupported)';

const NOTHING: PlacedGrounding = { figures: [], absences: [] };
const MOST_LISTED = 40;

/** Checks the answer of one agent against the tool results of its session. */
export interface Grounder {
  /** For a finished answer: sends a strict agent's back once, with what to correct or remove; records the last check. */
  review(text: string): Review;
  /** The check of the answer that the run ended with, recorded if it was not yet. */
  finish(text: string): PlacedGrounding;
  /** Recorded findings with the figures of their claims checked like those of the answer; those of a strict agent's model are marked. */
  findings(recorded: readonly Finding[]): CheckedFinding[];
}

/** A finding with the figures of its claim that no result supports. */
export interface CheckedFinding extends Finding {
  readonly unsupported?: readonly string[];
}

export interface GrounderOptions {
  readonly mode: NonNullable<AgentSpec['grounding']>;
  readonly task: Task;
  /** False for rules and scripts of rules: they would only say the same again. */
  readonly canMend: boolean;
}

/** @param member whose log and path say which results count */
export function createGrounder(member: Member, { mode, task, canMend }: GrounderOptions): Grounder {
  const { recorder, team } = member;
  const question = renderTask(task);
  let last: { readonly text: string; readonly grounding: PlacedGrounding } | undefined;
  const check = (text: string): PlacedGrounding => {
    if (last?.text === text) return last.grounding;
    const results = team.results.of(member.path);
    const grounding = groundAnswer({ answer: text, question: `${question}\n${team.now().toISOString()}`, results });
    last = { text, grounding };
    return grounding;
  };
  const record = (text: string): PlacedGrounding => {
    const grounding = check(text);
    const figures = grounding.figures.map(bare);
    recorder.record({ type: 'answer.grounded', mode: mode === 'off' ? 'report' : mode, figures, absences: grounding.absences });
    return grounding;
  };
  let recorded: string | undefined;
  return {
    review: (written) => {
      if (mode === 'off') return { verdict: 'accept' };
      const text = withConclusions(written, recorder.state.conclusions);
      const message = mode === 'strict' && canMend && recorder.state.sentBack.ground === 0 ? objectionTo(check(text)) : undefined;
      if (message !== undefined) return { verdict: 'again', why: 'ground', message };
      record(text);
      recorded = text;
      return { verdict: 'accept' };
    },
    finish: (written) => {
      if (mode === 'off' || !written.trim()) return NOTHING;
      const text = withConclusions(written, recorder.state.conclusions);
      return recorded === text ? check(text) : record(text);
    },
    findings: (claimed) => {
      if (mode === 'off' || claimed.length === 0) return [...claimed];
      const results = team.results.of(member.path);
      return claimed.map((finding) => checkFinding(finding, { question, results, marks: mode === 'strict' && canMend }));
    },
  };
}

export interface FindingCheck {
  /** The task, as the agent was given it. */
  readonly question: string;
  readonly results: readonly GroundingResult[];
  /** Whether the claim is marked too. */
  readonly marks: boolean;
}

/** The evidence of a finding stands for what its claim would cite. */
export function checkFinding(finding: Finding, { question, results, marks }: FindingCheck): CheckedFinding {
  const { claim, evidence } = finding;
  const cited = evidence.length === 0 ? claim : `${claim.replace(/[.\s]+$/, '')} [${evidence.join(', ')}]`;
  // What it stands below in a report is a part of what it says.
  const head = finding.kind === 'not_checked' ? 'Not checked: ' : '';
  const grounding = movedBy(-head.length, groundAnswer({ answer: head + cited, question, results }));
  const unsupported = grounding.figures.flatMap(({ text, status, start }) =>
    status === 'unsupported' && start < claim.length ? [text] : [],
  );
  if (unsupported.length === 0) return finding;
  return { ...finding, ...(marks ? { claim: markUnsupported(claim, grounding) } : {}), unsupported };
}

function movedBy(characters: number, { figures, absences }: PlacedGrounding): PlacedGrounding {
  return { figures: figures.map((one) => ({ ...one, start: one.start + characters, end: one.end + characters })), absences };
}

/** One look after the other: the next is taken once the one before accepts. */
export function reviewWith(first: (text: string, sentBack: number) => Review | Promise<Review>, grounder: Grounder) {
  return async (text: string, sentBack: number): Promise<Review> => {
    const review = await first(text, sentBack);
    return review.verdict === 'accept' ? grounder.review(text) : review;
  };
}

function bare({ start: _, end: __, ...figure }: PlacedFigure): Grounding['figures'][number] {
  return figure;
}

/** What a strict agent is told: the figures and claims to correct or remove; nothing where all is supported. */
function objectionTo({ figures, absences }: PlacedGrounding): string | undefined {
  const unsupported = figures.filter(({ status }) => status === 'unsupported').slice(0, MOST_LISTED);
  const claims = absences.filter(({ supported }) => !supported).slice(0, MOST_LISTED);
  if (unsupported.length === 0 && claims.length === 0) return undefined;
  const lines = [
    ...unsupported.map(({ text, reason }) => `- ${text}${reason === undefined ? ': no tool result holds it' : `: ${reason}`}`),
    ...claims.map(({ text, reason }) => `- “${text}”${reason === undefined ? '' : `: ${reason}`}`),
  ];
  return `Your answer holds what no tool result supports:\n${lines.join('\n')}\n\nCorrect each from a tool result, with its id, or remove it; what no tool returned is "unknown". You may call tools. Then give the whole answer again, and nothing about this message.`;
}

/** `[[c3]]` becomes the text of conclusion c3, word for word, so that no summary of a summary is made. */
export function withConclusions(text: string, conclusions: { get(id: string): Pick<ChildConclusion, 'text'> | undefined }): string {
  return text.replace(/\[\[(c\d+)\]\]/g, (mark, id: string) => conclusions.get(id)?.text ?? mark);
}

/** The answer with a mark behind each unsupported figure; behind the code span or the bold text that it stands in. */
export function markUnsupported(text: string, { figures }: PlacedGrounding): string {
  let marked = text;
  const places = figures.filter(({ status }) => status === 'unsupported').map(({ end }) => endOfSpan(text, end));
  // What a child's conclusion brought up is marked already.
  for (const at of [...new Set(places)].sort((left, right) => right - left))
    if (!text.startsWith(UNSUPPORTED_MARK, at)) marked = marked.slice(0, at) + UNSUPPORTED_MARK + marked.slice(at);
  return marked;
}

function endOfSpan(text: string, end: number): number {
  const line = text.lastIndexOf('\n', end - 1) + 1;
  const isInCode = (text.slice(line, end).match(/`/g) ?? []).length % 2 === 1;
  const close = isInCode ? text.indexOf('`', end) : -1;
  const at = close >= 0 && !text.slice(end, close).includes('\n') ? close + 1 : end;
  return at + (/^(?:\*\*|__|[*_])(?=[\s.,;:)]|$)/.exec(text.slice(at))?.[0].length ?? 0);
}
