import { seededRandom } from './make-fixture.ts';
import type { QuestionSetInput } from './question-set.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 0, 6, 18);

type Session = { id: string; at: number; turns: { id: string; speaker: string; text: string; at: number }[] };
type Question = QuestionSetInput['questions'][number];

const SPEAKERS: readonly (readonly [string, string])[] = [
  ['Nadia', 'Owen'],
  ['Ingrid', 'Mateo'],
];
/** What happens in a life: how it is told in the first person, and how it is asked for. `N` is the speaker, `V` what it is about. */
const EVENTS: readonly { readonly told: readonly string[]; readonly asked: string; readonly values: readonly string[] }[] = [
  {
    told: ['I signed up for a V class, first lesson is tonight!', 'Guess what, I finally started V lessons.'],
    asked: 'What class did N start?',
    values: ['pottery', 'fencing', 'sign language', 'woodcarving'],
  },
  {
    told: ['We drove to V over the weekend, the weather was awful and I loved it.', 'Just back from V, my shoes are still wet.'],
    asked: 'Where did N travel for a weekend?',
    values: ['the Jurassic coast', 'Lake Bled', 'Bruges', 'the Black Forest'],
  },
  {
    told: ['My sister had to sell her V, she was in tears.', 'Remember the V of my sister? She sold it.'],
    asked: "What did N's sister sell?",
    values: ['camper van', 'cello', 'sailing boat', 'greenhouse'],
  },
  {
    told: ['I adopted a V from the shelter. No name yet.', 'There is a V asleep on my lap, straight from the shelter.'],
    asked: 'Which animal did N adopt?',
    values: ['three-legged cat', 'greyhound', 'parrot', 'tortoise'],
  },
  {
    told: ['The doctor says it is my V again. Two weeks of rest.', 'Bad news, the V is back, so no running for me.'],
    asked: 'What health problem does N have?',
    values: ['left knee', 'migraine', 'shoulder', 'hay fever'],
  },
  {
    told: ['They promoted me! I am V now.', 'New job title on my door: V.'],
    asked: "What is N's new position at work?",
    values: ['head of procurement', 'lead botanist', 'night editor', 'chief surveyor'],
  },
];
const SMALL_TALK = [
  'Ha, that sounds like you.',
  'How was your week?',
  'I slept badly, too much coffee.',
  'Tell me everything!',
  'It rained all day here.',
  'The neighbours are renovating again, I can hear the drill through two walls.',
  'I watched that series you told me about, the ending was strange.',
  'Same here, work is a lot at the moment.',
  'I should call my mother.',
  'We really have to meet soon.',
  'Did you eat already? I made far too much soup.',
  'That is wonderful news, I am so happy for you.',
];
/** Nobody ever said it. */
const NEVER = [
  'Which instrument does N play in the orchestra?',
  "What is the name of N's dentist?",
  'How much did N pay for the piano?',
  'Which university did N graduate from?',
  "What colour is N's motorcycle?",
];

export interface ConversationOptions {
  readonly seed: number;
  readonly sessions?: number;
  readonly turns?: number;
}

/**
 * Two people who write to each other over many dated sessions, as public conversation sets have it: no facts, and questions of one turn, of
 * several, of a time, and without an answer. Things are told by the one who lives them, as "I", so that a name is only found as a speaker.
 */
export function makeConversation({ seed, sessions: count = 30, turns = 20 }: ConversationOptions): QuestionSetInput {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const speakers = SPEAKERS[seed % SPEAKERS.length] as readonly [string, string];
  const sessions = Array.from(
    { length: count },
    (_, place): Session => ({ id: `d${place + 1}`, at: START + place * 6 * DAY_MS, turns: [] }),
  );
  const told = new Map<number, { speaker: string; event: number; value: string; turn?: string }[]>();
  for (const speaker of speakers)
    for (const [event, { values }] of EVENTS.entries())
      for (const value of values.slice(0, 2)) {
        const at = Math.floor(random() * count);
        told.set(at, [
          ...(told.get(at) ?? []),
          { speaker, event, value: speaker === speakers[0] ? value : (values[values.indexOf(value) + 2] ?? value) },
        ]);
      }
  for (const [place, session] of sessions.entries()) {
    const things = [...(told.get(place) ?? [])];
    for (let turn = 0; turn < turns; turn++) {
      const speaker = speakers[turn % 2] as string;
      const thing = turn >= 2 ? things.find((one) => one.speaker === speaker && one.turn === undefined) : undefined;
      const id = `${session.id}:${turn + 1}`;
      if (thing) thing.turn = id;
      const text = thing ? pick(EVENTS[thing.event]?.told ?? []).replaceAll('V', thing.value) : pick(SMALL_TALK);
      session.turns.push({ id, speaker, text, at: session.at + turn * 60_000 });
    }
  }
  const all = [...told.entries()].flatMap(([place, things]) => things.map((thing) => ({ ...thing, place }))).filter(({ turn }) => turn);
  return { name: `two people, ${count} sessions, seed ${seed}`, sessions, questions: questionsOn(all, speakers, sessions) };
}

type Told = { speaker: string; event: number; value: string; turn?: string; place: number };

function questionsOn(all: readonly Told[], speakers: readonly string[], sessions: readonly Session[]): Question[] {
  const questions: Question[] = [];
  const add = (kind: string, question: string, turns: readonly (string | undefined)[], answerable = true): void => {
    questions.push({ id: `q${questions.length + 1}`, kind, question, answerable, turns: turns.filter((turn) => turn !== undefined) });
  };
  for (const speaker of speakers)
    for (const [event, { asked }] of EVENTS.entries()) {
      const mine = all.filter((one) => one.speaker === speaker && one.event === event);
      if (mine.length > 0)
        add(
          'several turns',
          asked.replaceAll('N', speaker),
          mine.map(({ turn }) => turn),
        );
    }
  for (const { speaker, value, turn, place } of all) {
    add('one turn', `Who told of the ${value}, and what about it?`, [turn]);
    add('time', `When did ${speaker} mention the ${value}?`, [turn]);
    const day = new Date(sessions[place]?.at ?? 0).toISOString().slice(0, 10);
    const there = all.filter((one) => one.speaker === speaker && one.place === place);
    if (there[0]?.turn === turn)
      add(
        'day',
        `What news did ${speaker} have on ${day}?`,
        there.map((one) => one.turn),
      );
  }
  for (const speaker of speakers) for (const never of NEVER) add('unanswerable', never.replaceAll('N', speaker), [], false);
  return questions;
}
