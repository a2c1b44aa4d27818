import type { EventBody } from '../core/event.ts';
import { clip } from './clip-text.ts';
import type { Remark } from './session-trace.ts';

/** Kinds that the tree shows in a place of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['answer.grounded']);

/** An event in one line, for those that are no reply, call or result. A kind that is not known here is shown as it is. */
export function remarkOf(body: EventBody, most: number): Remark | undefined {
  if (ELSEWHERE.has(body.type)) return undefined;
  return { type: body.type, text: textOf(body, most) };
}

function textOf(body: EventBody, most: number): string {
  switch (body.type) {
    case 'model.noticed':
      return `${body.notice.code}: ${body.notice.message}`;
    case 'user.said':
      return `told (${body.why}): ${clip(body.content, most)}`;
    case 'permission.decided':
      return `${body.tool} ${body.decision} by ${body.by}`;
    case 'context.fitted':
      return fitText(body);
    case 'limit.reached':
      return `limit reached: ${body.detail}`;
    case 'loop.blocked':
      return `a loop: ${body.tool} gave the same result ${body.times} times`;
    case 'interrupted':
      return 'interrupted';
    case 'agent.resumed':
      return `goes on after: ${body.after}${body.unfinished.length > 0 ? `; calls under way then: ${body.unfinished.join(', ')}` : ''}`;
    case 'memory.recalled':
      return `recalled ${body.hits.length} notes (${body.tokens} tokens)${body.skills.length > 0 ? `; skills: ${body.skills.join(', ')}` : ''}`;
    case 'note.proposed':
      return `proposes note ${body.key}: ${clip(body.text, most)}`;
    case 'note.written':
      return `note ${body.note.key} (${body.note.verdict}): ${clip(body.note.text, most)}`;
    default: {
      const { type: _type, ...rest } = body;
      return clip(JSON.stringify(rest), most);
    }
  }
}

function fitText({ beforeTokens, shortened, compacted }: Extract<EventBody, { type: 'context.fitted' }>): string {
  const parts = [
    ...(shortened.length > 0 ? [`${shortened.length} results became heads`] : []),
    ...(compacted ? [`${compacted.messages} messages became a summary by ${compacted.by}`] : []),
  ];
  return `window of about ${beforeTokens} tokens fitted: ${parts.join(', ')}`;
}
