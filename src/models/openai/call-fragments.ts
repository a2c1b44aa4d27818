import type { RawToolCall } from '../chat/chat-answer.ts';
import type { CallFragment } from './chunk-wire.ts';

interface OpenCall {
  readonly name: string;
  readonly id: string;
  readonly index: number;
  /** Text in pieces, or an object that came whole. */
  text: string;
  object: unknown;
}

/** Puts tool calls together from fragments that name their call by index, by id, or not at all. */
export class CallFragments {
  private readonly calls: OpenCall[] = [];

  take({ index, id, function: part }: CallFragment, whole: boolean): void {
    const name = part?.name ?? '';
    const given = part?.arguments;
    const known = whole ? undefined : this.find(index, id ?? '', name);
    const call = known ?? { name, id: id ?? '', index: index ?? -1, text: '', object: undefined };
    if (!known) this.calls.push(call);
    if (typeof given === 'string') call.text += given;
    else if (given !== null && given !== undefined) call.object = given;
  }

  /** The calls in the order in which they began. */
  whole(): RawToolCall[] {
    return this.calls.map(({ name, text, object }) => ({ name, arguments: object ?? text }));
  }

  /** A fragment with a name begins a call even at the index of another, where that one is whole or has another id. */
  private find(index: number | undefined, id: string, name: string): OpenCall | undefined {
    const last = this.calls.at(-1);
    const same = index === undefined ? (id === '' ? last : this.calls.find((call) => call.id === id)) : this.lastAt(index);
    if (!same) return name === '' ? last : undefined;
    const begins = name !== '' && same.name !== '' && ((id !== '' && id !== same.id) || isWhole(same.text));
    return begins ? undefined : same;
  }

  private lastAt(index: number): OpenCall | undefined {
    return this.calls.findLast((call) => call.index === index);
  }
}

function isWhole(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
