/**
 * Bytes that only ever grow at the end: every piece of text is encoded once, and a request sends the bytes as they lie.
 * `bytes` stays valid while more is appended, since what was written is never written again.
 */
export class HistoryBuffer {
  private buffer: Buffer;
  private used = 0;
  private readonly initialSize: number;

  constructor(initialSize = 8192) {
    this.initialSize = initialSize;
    this.buffer = Buffer.allocUnsafe(initialSize);
  }

  get size(): number {
    return this.used;
  }

  append(text: string): void {
    // Three bytes hold any UTF-16 unit in UTF-8; the exact length is counted only when that might not fit.
    if (this.used + text.length * 3 > this.buffer.length) this.grow(Buffer.byteLength(text));
    this.used += this.buffer.write(text, this.used);
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  /** Starts anew in fresh memory: a request under way may still be sending the old bytes. */
  clear(): void {
    this.buffer = Buffer.allocUnsafe(this.initialSize);
    this.used = 0;
  }

  private grow(more: number): void {
    const needed = this.used + more;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, needed));
    this.buffer.copy(larger, 0, 0, this.used);
    this.buffer = larger;
  }
}
