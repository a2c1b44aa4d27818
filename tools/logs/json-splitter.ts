/** A whole JSON value of a document, with the line on which it begins. */
export interface JsonPart {
  readonly text: string;
  readonly line: number;
}

const LARGEST_PART = 64 * 1024 * 1024;

/** Cuts a document that comes in lines, or in pieces that end anywhere, into the objects at its top, or in the list at its top. */
export class JsonSplitter {
  private depth = 0;
  private inText = false;
  private escaped = false;
  private inList = false;
  private pieces: string[] = [];
  private size = 0;
  private startLine = 0;

  /** True once an object grew so large that it cannot be one record. */
  tooLarge = false;

  /** The objects that end in this piece, which begins on line `first`. */
  push(line: string, first: number): JsonPart[] {
    const parts: JsonPart[] = [];
    let number = first;
    let from = this.isInside ? 0 : -1;
    for (let at = 0; at < line.length; at++) {
      const code = line.charCodeAt(at);
      if (code === 0x0a) number++;
      if (this.inText) {
        if (this.escaped) this.escaped = false;
        else if (code === 0x5c) this.escaped = true;
        else if (code === 0x22) this.inText = false;
      } else if (code === 0x22) this.inText = this.isInside;
      else if (code === 0x7b || code === 0x5b) {
        if (code === 0x5b && this.depth === 0 && !this.inList) this.inList = true;
        else {
          if (this.depth === 0) {
            from = at;
            this.startLine = number;
          }
          this.depth++;
        }
      } else if ((code === 0x7d || code === 0x5d) && this.depth > 0 && --this.depth === 0) {
        parts.push({ text: onOneLine([...this.pieces, line.slice(from, at + 1)]), line: this.startLine });
        this.pieces = [];
        this.size = 0;
        from = -1;
      }
    }
    if (this.isInside && from >= 0) this.keep(line.slice(from));
    return parts;
  }

  /** The beginning of an object that never ended. */
  rest(): JsonPart | undefined {
    return this.isInside ? { text: onOneLine(this.pieces), line: this.startLine } : undefined;
  }

  private get isInside(): boolean {
    return this.depth > 0;
  }

  private keep(piece: string): void {
    this.size += piece.length;
    if (this.size > LARGEST_PART) this.tooLarge = true;
    else this.pieces.push(piece);
  }
}

function onOneLine(pieces: readonly string[]): string {
  return pieces.join('').replace(/\r?\n/g, ' ');
}
