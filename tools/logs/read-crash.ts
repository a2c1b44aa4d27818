/** An exception as it was written, before its place in a chain. */
export interface WrittenException {
  readonly type: string;
  readonly message: string;
  readonly at: string | undefined;
}

const GO = /^(panic|fatal error): (.*)$/;
const GO_FRAME = /^\t(\S+\.go:\d+)/;
const RUST = /^thread '[^']*'(?: \(\d+\))? panicked at (?:'(.*)', )?(\S+?):?$/;
const CRASH =
  /^(?:panic|fatal error): |^thread '[^']*'(?: \(\d+\))? panicked at |^Exception in thread "|^Unhandled [Ee]xception\b|^terminate called after throwing|^(?:Segmentation fault|Aborted|Killed)(?: \(core dumped\))?\s*$/;

/** A line that a runtime writes when a program dies: no part of the record before it. */
export function startsCrash(line: string): boolean {
  return CRASH.test(line);
}

/** What Go or Rust wrote when the program died. */
export function readPanic(lines: readonly string[]): WrittenException[] | undefined {
  for (const [place, line] of lines.entries()) {
    const go = GO.exec(line);
    if (go) {
      const frame = lines.slice(place + 1).find((one) => GO_FRAME.test(one) && !/\/runtime\/|\/panic\.go:/.test(one));
      return [{ type: go[1] ?? '', message: go[2] ?? '', at: frame && GO_FRAME.exec(frame)?.[1] }];
    }
    const rust = RUST.exec(line);
    if (rust) return [{ type: 'panic', message: rust[1] ?? lines[place + 1] ?? '', at: rust[2] }];
  }
  return undefined;
}

const NODE_FRAME = /^\s+at (?:.{1,200} \()?((?:file:\/\/|node:)?[\w./@\\:-]+:\d+):\d+\)?$/;
const NODE_ERROR = /(?:^|[\s:])([A-Z][\w$]*(?:Error|Exception)|Error)(?: \[\w+\])?: (.*)$/;
const NODE_CAUSE = /^\s*\[cause\]: ([\w$]+)(?: \[\w+\])?: (.*?)(?: \{)?$/;

/** True for a frame of Node's stack traces. */
export function isNodeFrame(line: string): boolean {
  return NODE_FRAME.test(line);
}

/** Node writes the outermost first, what caused it below in `[cause]`; answered root first. */
export function readNode(lines: readonly string[]): WrittenException[] | undefined {
  const found: WrittenException[] = [];
  for (const [place, line] of lines.entries()) {
    const frame = NODE_FRAME.exec(line);
    if (!frame || NODE_FRAME.test(lines[place - 1] ?? '')) continue;
    const above = lines.slice(Math.max(0, place - 10), place).reverse();
    const head = above.map((one) => NODE_CAUSE.exec(one) ?? NODE_ERROR.exec(one)).find((one) => one !== null);
    if (head) found.push({ type: head[1] ?? '', message: head[2] ?? '', at: frame[1] });
  }
  return found.length > 0 ? found.reverse() : undefined;
}

const GROUP = /^\s*\+ Exception Group Traceback/;
const GROUP_MEMBER = /^([A-Za-z_][\w.]*)(?:: ?(.*))?$/;
const FRAME = /^\s+File "([^"]+)", line (\d+)/;

/** True for the first line of a Python exception group. */
export function startsGroup(line: string): boolean {
  return GROUP.test(line);
}

/** A Python exception group: its members and last the group itself. */
export function readGroup(lines: readonly string[]): WrittenException[] | undefined {
  const found: WrittenException[] = [];
  let at: string | undefined;
  for (const line of lines.slice(lines.findIndex(startsGroup) + 1)) {
    const inner = /^\s*\| ?(.*)$/.exec(line)?.[1];
    if (inner === undefined || /^(?:Traceback|Exception Group) /.test(inner)) continue;
    const frame = FRAME.exec(inner);
    const head = GROUP_MEMBER.exec(inner);
    if (frame) at = `${frame[1]}:${frame[2]}`;
    else if (head) {
      found.push({ type: head[1] ?? '', message: head[2] ?? '', at });
      at = undefined;
    }
  }
  const [group, ...members] = found;
  return group ? [...members.slice(0, 10), group] : undefined;
}
