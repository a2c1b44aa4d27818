import type { Event } from '../core/event.ts';
import type { LogPiece } from '../core/memory-index.ts';

/** Of a tool's result, how much is made searchable: the rest is read again by reference. */
const RESULT_SEARCHED = 6_000;
/** What they return was in memory before. */
const MEMORY_TOOLS = new Set(['recall', 'remember', 'graph_add', 'graph_walk', 'scratchpad', 'read_skill']);
/** `Anna: I went there`: a transcript's way to say who speaks. */
const SPEAKER = /^([\p{Lu}][\p{L}\p{N}.'-]*(?: [\p{Lu}][\p{L}\p{N}.'-]*){0,2}): /u;

/** What stands in place of a text that was taken out of the log. */
export const FORGOTTEN = '[forgotten]';

/** What of an event is searched. */
export interface LogText {
  readonly origin: LogPiece['origin'];
  readonly speaker: string;
  readonly text: string;
}

/** The texts of an event; `speaker` is the name of the agent that it belongs to. */
export function textsOf({ body }: Event, speaker: string): readonly LogText[] {
  switch (body.type) {
    case 'session.opened':
      return asked(body.question);
    case 'user.said':
      return body.why === 'follow_up' ? asked(body.content) : [];
    case 'model.replied':
      return said('reply', speaker, body.message.content);
    case 'agent.concluded':
      return said('conclusion', speaker, [body.conclusion.text, ...claimsBeside(body.conclusion)].join('\n'));
    case 'tool.finished':
      return MEMORY_TOOLS.has(body.tool) || body.status === 'refused' || body.status === 'error'
        ? []
        : said('result', body.tool, wholeLines(body.content));
    default:
      return [];
  }
}

function asked(text: string): readonly LogText[] {
  return said('question', SPEAKER.exec(text)?.[1] ?? 'user', text);
}

function said(origin: LogText['origin'], speaker: string, text: string): readonly LogText[] {
  return typeof text !== 'string' || text.trim() === '' || text === FORGOTTEN ? [] : [{ origin, speaker, text: text.trim() }];
}

/** Claims that the conclusion's text does not hold itself. */
function claimsBeside({
  text,
  findings,
}: {
  readonly text: string;
  readonly findings: readonly { readonly claim: string }[];
}): readonly string[] {
  return findings.map(({ claim }) => claim).filter((claim) => !text.includes(claim));
}

function wholeLines(text: string): string {
  if (text.length <= RESULT_SEARCHED) return text;
  const end = text.lastIndexOf('\n', RESULT_SEARCHED);
  return text.slice(0, end > RESULT_SEARCHED / 2 ? end : RESULT_SEARCHED).replace(/[\ud800-\udbff]$/, '');
}
