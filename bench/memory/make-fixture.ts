import { type Attribute, type Vocabulary, WAREHOUSE } from './fixture-words.ts';
import type { QuestionSetInput } from './question-set.ts';

const DAY_MS = 86_400_000;
const SESSIONS = 60;
const START = Date.UTC(2026, 0, 5, 9);
const ASKED_AT = START + 200 * DAY_MS;

type Session = { id: string; at: number; turns: { id: string; role: 'assistant' | 'user'; text: string }[] };
type Fact = NonNullable<QuestionSetInput['facts']>[number] & { turns: string[] };
type Question = QuestionSetInput['questions'][number];

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A value of one attribute of one feed over time. */
interface Thread {
  readonly feed: string;
  readonly attribute: Attribute;
  readonly facts: Fact[];
  change: 'none' | 'update' | 'conflict';
}

/**
 * Facts about the feeds of one company over 60 sessions in seven months: told in talk among chatter, distilled to notes under keys, some updated
 * later, some contradicted, some sets; and 200 questions, of which 42 have no answer. The same seed and words give the same set.
 */
export function makeFixture(seed = 1, words: Vocabulary = WAREHOUSE): QuestionSetInput {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const sessions: Session[] = Array.from({ length: SESSIONS }, (_, place) => ({
    id: `s${String(place + 1).padStart(2, '0')}`,
    at: START + place * 3 * DAY_MS,
    turns: [],
  }));
  const say = (session: Session, text: string, role: 'assistant' | 'user' = 'assistant'): string => {
    const id = `${session.id}-t${session.turns.length}`;
    session.turns.push({ id, role, text });
    return id;
  };
  for (const session of sessions) say(session, filled(words.opening, pick(words.feeds)), 'user');
  const threads = makeThreads(random, words);
  const facts: Fact[] = [];
  const tell = (thread: Thread, session: Session, verdict: 'new' | 'update' | 'conflict'): void => {
    const { feed, attribute } = thread;
    const used = thread.facts.map(({ text }) => text);
    const value = pick(attribute.values.filter((candidate) => !used.includes(filled(attribute.fact, feed, candidate))));
    if (random() < 0.7) say(session, filled(pick(words.chatter), pick(words.feeds)));
    const turn = say(session, filled(pick(attribute.told), feed, value));
    const fact: Fact = {
      ...{ id: `f${facts.length + 1}`, key: `${keyOf(feed)}.${attribute.name}`, kind: attribute.kind, at: session.at, verdict },
      text: filled(attribute.fact, feed, value),
      turns: [turn],
    };
    facts.push(fact);
    thread.facts.push(fact);
  };
  const early = sessions.slice(0, 35);
  for (const thread of threads) tell(thread, pick(early), 'new');
  for (const [place, thread] of threads.entries()) {
    thread.change = place < 60 ? 'update' : place < 80 ? 'conflict' : 'none';
    if (thread.change !== 'none') tell(thread, pick(sessions.slice(36)), thread.change);
  }
  const sets = tellSets({ sessions, facts, say, random, words });
  for (const session of sessions)
    for (let count = 0; count < 6; count++)
      say(session, filled(pick(words.chatter), pick(words.feeds)), random() < 0.3 ? 'user' : 'assistant');
  facts.sort((a, b) => Number(a.at) - Number(b.at));
  return { name: `${words.name}, seed ${seed}`, sessions, facts, questions: askAll({ threads, sets, pick, words }) };
}

function makeThreads(random: () => number, { feeds, attributes }: Vocabulary): Thread[] {
  const all = feeds.flatMap((feed) => attributes.map((attribute): Thread => ({ feed, attribute, facts: [], change: 'none' })));
  return all
    .map((thread) => ({ thread, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ thread }) => thread)
    .slice(0, 220);
}

interface Telling {
  readonly sessions: readonly Session[];
  readonly facts: Fact[];
  readonly say: (session: Session, text: string) => string;
  readonly random: () => number;
  readonly words: Vocabulary;
}

interface ConsumerSet {
  readonly feed: string;
  readonly facts: readonly Fact[];
}

/** Who reads a feed: a key that collects a set. */
function tellSets({ sessions, facts, say, random, words }: Telling): ConsumerSet[] {
  return words.feeds.slice(0, 12).map((feed) => {
    const consumers = words.consumers.filter(() => random() < 0.5);
    const told = consumers.map((consumer): Fact => {
      const session = sessions[Math.floor(random() * sessions.length)] as Session;
      const turn = say(session, filled(words.consumes.told, feed, consumer));
      const fact: Fact = {
        ...{ id: `f${facts.length + 1}`, key: `${keyOf(feed)}.consumers`, kind: 'fact', at: session.at, verdict: 'new', multiValued: true },
        text: filled(words.consumes.fact, feed, consumer),
        turns: [turn],
      };
      facts.push(fact);
      return fact;
    });
    return { feed, facts: told };
  });
}

function askAll({
  threads,
  sets,
  pick,
  words,
}: {
  threads: readonly Thread[];
  sets: readonly ConsumerSet[];
  pick: <Item>(items: readonly Item[]) => Item;
  words: Vocabulary;
}): Question[] {
  const questions: Question[] = [];
  const ask = (kind: string, question: string, more: Partial<Question> = {}): void => {
    questions.push({ id: `q${questions.length + 1}`, kind, question, at: ASKED_AT, ...more });
  };
  const askThread = (kind: string, { feed, attribute, facts }: Thread, more: Partial<Question> = {}): void =>
    ask(kind, filled(pick(attribute.asked), feed), { turns: [...(facts.at(-1)?.turns ?? [])], ...more });
  const of = (change: Thread['change']): readonly Thread[] => threads.filter((thread) => thread.change === change);
  for (const thread of of('update').slice(0, 45)) askThread('update', thread, { stale: thread.facts.slice(0, -1).map(({ id }) => id) });
  for (const thread of of('conflict')) {
    const both = { turns: thread.facts.flatMap(({ turns }) => turns), conflicting: thread.facts.map(({ id }) => id) };
    askThread('conflict', thread, { ...both, stale: thread.facts.slice(0, -1).map(({ id }) => id) });
  }
  for (const { feed, facts } of sets.filter((set) => set.facts.length > 0))
    ask('set', filled(words.consumes.asked, feed), { turns: facts.flatMap(({ turns }) => turns) });
  for (const feed of words.unheard)
    for (const attribute of words.attributes.slice(0, 3)) ask('unanswerable', filled(pick(attribute.asked), feed), { answerable: false });
  for (const [place, text] of words.neverTold.entries())
    for (const feed of words.feeds.slice(place * 3, place * 3 + 3)) ask('unanswerable', filled(text, feed), { answerable: false });
  for (const text of words.offSubject) ask('unanswerable', text, { answerable: false });
  for (const thread of of('none').slice(0, 200 - questions.length)) askThread('plain', thread);
  return questions;
}

function filled(template: string, feed: string, value = ''): string {
  const text = template.replaceAll(/\bF\b/g, feed).replaceAll(/\bV\b/g, value);
  return text.charAt(0) === feed.charAt(0) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function keyOf(feed: string): string {
  return feed.replaceAll(' ', '_');
}
