/** A clock that only moves when all that was to happen at a moment has happened; ties in the order they were asked for. */
export class EventClock {
  now = 0;
  private readonly waiting: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  private asked = 0;

  after(milliseconds: number, run: () => void): void {
    const entry = { at: this.now + milliseconds, order: this.asked++, run };
    let place = this.waiting.length;
    while (place > 0 && isBefore(entry, this.waiting[place - 1] as typeof entry)) place--;
    this.waiting.splice(place, 0, entry);
  }

  /** Until nothing is left to happen. */
  run(): void {
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) {
      this.now = next.at;
      next.run();
    }
  }
}

function isBefore(left: { at: number; order: number }, right: { at: number; order: number }): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}

/** At most `places` at once, first come, first served. */
export class Lanes {
  private free: number;
  private readonly queue: ((leave: () => void) => void)[] = [];

  constructor(places: number) {
    this.free = places;
  }

  /** Calls `begin` once a place is free; it gives the place back by calling what it got. */
  enter(begin: (leave: () => void) => void): void {
    if (this.free === 0) this.queue.push(begin);
    else {
      this.free--;
      begin(() => this.leave());
    }
  }

  private leave(): void {
    const next = this.queue.shift();
    if (next) next(() => this.leave());
    else this.free++;
  }
}
