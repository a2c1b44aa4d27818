import { meaningsOf } from './label-words.ts';
import { findSilent, readCitations } from './mask-text.ts';
import type { Mention } from './mention.ts';
import { type Context, readContexts } from './read-context.ts';
import { readMentions } from './read-mentions.ts';
import { numberStyle } from './read-number.ts';

/** What the user gave. */
export interface GivenFigures {
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly contexts: readonly Context[];
}

export function readGiven(question: string): GivenFigures {
  const citations = readCitations(question);
  const mentions = readMentions(question, numberStyle(question), findSilent(question));
  return { text: question.toLowerCase(), mentions, contexts: readContexts(question, mentions, citations) };
}

const NEAR = 1.8;

/** True where the question holds the same figure; a small number must be said of the same thing there. */
export function isGiven(mention: Mention, context: Context, given: GivenFigures): boolean {
  if (mention.kind === 'identifier') return isWhole(mention.name, given.text);
  return given.mentions.some((other, at) => {
    if (mention.kind === 'moment') return other.kind === 'moment' && sharesMoment(mention, other);
    if (mention.kind === 'span') return other.kind === 'span' ? other.seconds === mention.seconds : false;
    if (other.kind !== 'number' || other.unit !== mention.unit || other.label !== mention.label) return false;
    const same =
      mention.readings.some((reading) => other.readings.some((held) => held.exact === reading.exact)) &&
      mention.factors[0] === other.factors[0];
    return same && (mention.unit !== undefined || isDistinct(mention.readings[0]?.exact ?? '') || saySame(context, given.contexts[at]));
  });
}

function isWhole(name: string, text: string): boolean {
  const at = text.indexOf(name);
  return at >= 0 && !/[\p{L}\p{N}_]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}_]/u.test(text[at + name.length] ?? ' ');
}

function sharesMoment(mention: Extract<Mention, { kind: 'moment' }>, other: Extract<Mention, { kind: 'moment' }>): boolean {
  return mention.moments.some(({ date, time }) =>
    other.moments.some(
      (held) =>
        (date === undefined || date === held.date || date.slice(5) === held.date || date === held.date?.slice(5)) &&
        (time === undefined || (held.time?.startsWith(time) ?? false)),
    ),
  );
}

function isDistinct(exact: string): boolean {
  return exact.replace('.', '').length >= 4 && !/^(?:19|20)\d\d$/.test(exact);
}

function saySame(context: Context, held: Context | undefined): boolean {
  if (!held) return false;
  for (const [token, weight] of held.weights)
    if (weight >= NEAR && !token.startsWith('=') && (context.weights.get(token) ?? 0) >= NEAR && meaningsOf(token).length > 0) return true;
  return false;
}
