const OPENERS = ['<think>', '<thinking>', '<thought>'];
const CLOSER = /<\/(?:think|thinking|thought)>/;
const LONGEST_CLOSER = '</thinking>'.length;

/** Keeps a leading `<think>` block out of the text while it streams in; pieces may break anywhere. */
export class ThinkFilter {
  text = '';
  thinking = '';
  private state: 'start' | 'thinking' | 'text' = 'start';
  private held = '';

  /** Everything from here on is text. */
  get isOpen(): boolean {
    return this.state === 'text';
  }

  /** Takes the next piece; `text` and `thinking` are then what this piece gave. */
  push(piece: string): void {
    this.text = '';
    this.thinking = '';
    if (this.state === 'text') this.text = piece;
    else {
      this.held += piece;
      if (this.state === 'start') this.decide();
      if (this.state === 'thinking') this.takeThinking();
    }
  }

  /** Gives what was held back, at the end. */
  finish(): void {
    this.text = this.state === 'start' ? this.held : '';
    this.thinking = this.state === 'thinking' ? this.held : '';
    this.held = '';
  }

  private decide(): void {
    const lead = this.held.trimStart();
    const opener = OPENERS.find((candidate) => lead.startsWith(candidate));
    if (opener) {
      this.state = 'thinking';
      this.held = lead.slice(opener.length);
    } else if (lead !== '' && !OPENERS.some((candidate) => candidate.startsWith(lead))) {
      this.state = 'text';
      this.text = this.held;
      this.held = '';
    }
  }

  private takeThinking(): void {
    const closer = CLOSER.exec(this.held);
    if (closer) {
      this.thinking = this.held.slice(0, closer.index);
      this.text = this.held.slice(closer.index + closer[0].length).trimStart();
      // White space after the block belongs to it, so the text begins with its first word.
      this.state = this.text === '' ? 'start' : 'text';
      this.held = '';
      return;
    }
    const bracket = this.held.lastIndexOf('<');
    const keep = bracket >= 0 && this.held.length - bracket < LONGEST_CLOSER ? this.held.length - bracket : 0;
    this.thinking = this.held.slice(0, this.held.length - keep);
    this.held = this.held.slice(this.held.length - keep);
  }
}

/** Takes out what only the whole text shows: a closer without an opener, with the reasoning before it. */
export function splitStrayCloser(content: string): { readonly text: string; readonly thinking: string } {
  const closer = CLOSER.exec(content);
  if (!closer) return { text: content, thinking: '' };
  const before = content.slice(0, closer.index);
  if (OPENERS.some((opener) => before.includes(opener)) || before.includes('`')) return { text: content, thinking: '' };
  return { text: content.slice(closer.index + closer[0].length).trimStart(), thinking: before.trim() };
}
