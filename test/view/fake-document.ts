/** As much of a browser's document as the page uses, so that the whole page can run in Node against the real server. */
export class FakeNode {
  readonly ownerDocument: FakeDocument;
  parent: FakeElement | undefined;

  constructor(ownerDocument: FakeDocument) {
    this.ownerDocument = ownerDocument;
  }

  get textContent(): string {
    return '';
  }

  get nextSibling(): FakeNode | null {
    const around = this.parent?.childNodes ?? [];
    return around[around.indexOf(this) + 1] ?? null;
  }

  remove(): void {
    if (this.parent) this.parent.childNodes.splice(this.parent.childNodes.indexOf(this), 1);
    this.parent = undefined;
  }

  replaceWith(other: FakeNode): void {
    const parent = this.parent;
    if (!parent) return;
    parent.insertBefore(other, this);
    this.remove();
  }
}

export class FakeText extends FakeNode {
  readonly data: string;

  constructor(ownerDocument: FakeDocument, data: string) {
    super(ownerDocument);
    this.data = data;
  }

  override get textContent(): string {
    return this.data;
  }
}

type Listener = (event: { readonly target: FakeElement; preventDefault(): void }) => unknown;

export class FakeElement extends FakeNode {
  readonly tag: string;
  readonly childNodes: FakeNode[] = [];
  readonly attributes = new Map<string, string>();
  readonly styles = new Map<string, string>();
  readonly style = { setProperty: (name: string, value: string): unknown => this.styles.set(name, value) };
  private readonly listeners = new Map<string, Listener[]>();
  open = false;
  value = '';

  constructor(ownerDocument: FakeDocument, tag: string) {
    super(ownerDocument);
    this.tag = tag;
  }

  get id(): string {
    return this.attributes.get('id') ?? '';
  }

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  override get textContent(): string {
    return this.childNodes.map((child) => child.textContent).join('');
  }

  override set textContent(text: string) {
    this.replaceChildren(new FakeText(this.ownerDocument, text));
  }

  /** What a page must never set. */
  set innerHTML(_html: string) {
    throw new Error('HTML was made from text');
  }

  append(...nodes: readonly FakeNode[]): void {
    for (const node of nodes) this.insertBefore(node, null);
  }

  insertBefore(node: FakeNode, before: FakeNode | null): void {
    node.remove();
    node.parent = this;
    if (before === null) this.childNodes.push(node);
    else this.childNodes.splice(this.childNodes.indexOf(before), 0, node);
  }

  replaceChildren(...nodes: readonly FakeNode[]): void {
    for (const child of [...this.childNodes]) child.remove();
    this.append(...nodes);
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  fire(type: string): void {
    for (const listener of this.listeners.get(type) ?? []) listener({ target: this, preventDefault: () => undefined });
  }

  focus(): void {
    this.ownerDocument.activeElement = this;
  }

  contains(node: FakeNode | undefined): boolean {
    return node !== undefined && (node === this || this.contains(node.parent));
  }

  showModal(): void {
    this.open = true;
  }

  close(): void {
    this.open = false;
    this.fire('close');
  }

  /** All elements below, in order. */
  all(): FakeElement[] {
    return this.childNodes.flatMap((child) => (child instanceof FakeElement ? [child, ...child.all()] : []));
  }

  /** By names of elements alone, with commas between. */
  querySelectorAll(names: string): FakeElement[] {
    const wanted = names.split(/,\s*/);
    return this.all().filter(({ tag }) => wanted.includes(tag));
  }

  querySelector(names: string): FakeElement | null {
    return this.querySelectorAll(names)[0] ?? null;
  }
}

export class FakeDocument {
  readonly body: FakeElement = new FakeElement(this, 'body');
  activeElement: FakeElement | undefined;
  title = '';
  hidden = false;
  private readonly listeners: (() => void)[] = [];

  /** With the elements of the page that have an id. */
  constructor(html: string) {
    for (const [, tag, id] of html.matchAll(/<(\w+)[^>]*\bid="([^"]+)"/g)) {
      const element = new FakeElement(this, tag ?? '');
      element.setAttribute('id', id ?? '');
      this.body.append(element);
    }
  }

  createElement(tag: string): FakeElement {
    return new FakeElement(this, tag);
  }

  createTextNode(text: string): FakeText {
    return new FakeText(this, text);
  }

  getElementById(id: string): FakeElement | null {
    return this.body.all().find((element) => element.id === id) ?? null;
  }

  addEventListener(_type: 'visibilitychange', listener: () => void): void {
    this.listeners.push(listener);
  }

  setHidden(hidden: boolean): void {
    this.hidden = hidden;
    for (const listener of this.listeners) listener();
  }
}

/** A window whose time passes only when it is told. */
export class FakeWindow {
  private readonly listeners: (() => void)[] = [];
  private readonly timers = new Map<number, { readonly milliseconds: number; readonly run: () => unknown }>();
  private next = 1;
  private place = '';
  readonly location: { hash: string };

  constructor() {
    const window = this;
    this.location = {
      get hash() {
        return window.place;
      },
      set hash(hash: string) {
        window.place = hash;
        for (const listener of window.listeners) listener();
      },
    };
  }

  addEventListener(type: string, listener: () => void): void {
    if (type === 'hashchange') this.listeners.push(listener);
  }

  setTimeout(run: () => unknown, milliseconds: number): number {
    this.timers.set(this.next, { run, milliseconds });
    return this.next++;
  }

  clearTimeout(timer: number | undefined): void {
    if (timer !== undefined) this.timers.delete(timer);
  }

  /** How long each timer that is set waits. */
  waiting(): number[] {
    return [...this.timers.values()].map(({ milliseconds }) => milliseconds).sort((left, right) => left - right);
  }

  /** Runs the timers that wait so long; settles when their work is done. */
  async pass(milliseconds: number): Promise<void> {
    const due = [...this.timers].filter(([, timer]) => timer.milliseconds <= milliseconds);
    for (const [id] of due) this.timers.delete(id);
    await Promise.all(due.map(([, { run }]) => run()));
  }
}
