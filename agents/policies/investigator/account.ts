import type { Play } from '../../../src/core/policy.ts';
import type { ToolResult } from '../../../src/core/tool-result.ts';

export type FindingKind = 'cause' | 'observation' | 'ruled_out' | 'not_checked';

export interface Claim {
  readonly kind: FindingKind;
  readonly claim: string;
  readonly evidence: readonly ToolResult[];
  readonly confidence?: 'high' | 'medium' | 'low';
  readonly refutedBy?: string;
}

/** What an investigation has to say: sentences of the answer in order, and findings to record. */
export interface Account {
  /** Adds a sentence to the answer, with the results it rests on. */
  say(sentence: string, ...evidence: readonly ToolResult[]): void;
  find(claim: Claim): void;
  /** Records the findings and answers the text. */
  finish(): Promise<string>;
}

export function createAccount(play: Play): Account {
  const sentences: string[] = [];
  const claims: Claim[] = [];
  return {
    say: (sentence, ...evidence) => {
      const ids = citations(evidence);
      sentences.push(ids ? `${sentence} ${ids}` : sentence);
    },
    find: (claim) => claims.push(claim),
    finish: async () => {
      if (play.tools.has('record_finding')) await Promise.all(claims.map((claim) => record(play, claim)));
      return sentences.join('\n\n') || 'Nothing in the sources answers the question.';
    },
  };
}

function record(play: Play, { kind, claim, evidence, confidence = 'high', refutedBy }: Claim): Promise<unknown> {
  const ids = [...new Set(evidence.map((result) => result.id))].filter((id) => id !== '');
  return play.call('record_finding', {
    kind,
    claim: claim.slice(0, 1000),
    evidence: ids,
    confidence,
    ...(refutedBy === undefined ? {} : { refuted_by: refutedBy }),
  });
}

function citations(evidence: readonly ToolResult[]): string {
  const ids = [...new Set(evidence.map((result) => result.id))].filter((id) => id !== '');
  return ids.length > 0 ? `[${ids.join(', ')}]` : '';
}
