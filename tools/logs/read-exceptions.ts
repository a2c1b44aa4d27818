import { clipText, keepText, type LogException } from './log-record.ts';
import { isNodeFrame, readGroup, readNode, readPanic, startsCrash, startsGroup, type WrittenException } from './read-crash.ts';

const MOST_MESSAGE = 400;
const PYTHON_FRAME = /^\s*(?:\|\s*)?File "([^"]+)", line (\d+)/;
const PYTHON_EXCEPTION = /^([A-Za-z_*][\w.*$]*)(?:\s*:\s?(.*))?$/;
const JAVA_EXCEPTION =
  /^(Caused by: |Exception in thread "[^"]*" |)([a-zA-Z_][\w$]*(?:\.[\w$]+)*\.?[A-Z][\w$]*(?:Exception|Error|Throwable|Failure)[\w$]*)(?::\s?(.*))?$/;
const JAVA_FRAME = /^\s+at [\w$.<>/@`-]+\(([^)]*)\)(?: in (\S.*?):line (\d+))?/;

export function startsTraceback(line: string): boolean {
  return line.startsWith('Traceback (most recent call last)');
}

/** How the exception above such a line led to the one below; undefined for any other line. */
export function readLink(line: string): LogException['link'] {
  if (line.startsWith('The above exception was the direct cause')) return 'direct_cause';
  if (line.startsWith('During handling of the above exception')) return 'during_handling';
  return undefined;
}

/** True for the line that ends a Python traceback: `Type: message` or `Type`. */
export function isExceptionLine(line: string): boolean {
  return PYTHON_EXCEPTION.test(line);
}

/** The chain of exceptions in the lines of a traceback of Python, Java, .NET, Node, Go or Rust, root first; undefined without one. */
export function readExceptions(lines: readonly string[]): LogException[] | undefined {
  for (const line of lines) {
    if (startsTraceback(line)) return readPython(lines);
    if (startsGroup(line)) return inChain(readGroup(lines));
    if (isNodeFrame(line)) return inChain(readNode(lines));
    if (startsCrash(line)) {
      const panic = readPanic(lines);
      if (panic) return inChain(panic);
    }
    if (line === 'Stack Trace:') return readDagsterTrace(lines);
    if (JAVA_FRAME.test(line) || line.startsWith('Caused by: ')) return readJava(lines);
  }
  return undefined;
}

function inChain(found: readonly WrittenException[] | undefined): LogException[] | undefined {
  return found?.map(({ type, message, at }, place) => exception(type, message, at, place > 0 ? 'caused_by' : undefined));
}

function exception(type: string, message: string, at: string | undefined, link: LogException['link']): LogException {
  return {
    type: keepText(type),
    message: keepText(clipText(message.trim(), MOST_MESSAGE)),
    ...(at === undefined ? {} : { at: keepText(at) }),
    ...(link === undefined ? {} : { link }),
  };
}

function readPython(lines: readonly string[]): LogException[] | undefined {
  const chain: LogException[] = [];
  let frame: string | undefined;
  let link: LogException['link'];
  let inside = false;
  let found: { type: string; message: string } | undefined;
  const close = (): void => {
    if (found) chain.push(exception(found.type, found.message, frame, chain.length > 0 ? (link ?? 'during_handling') : undefined));
    found = undefined;
  };
  for (const line of lines) {
    const nextLink = readLink(line);
    if (startsTraceback(line) || nextLink) {
      close();
      if (nextLink) link = nextLink;
      else frame = undefined;
      inside = !nextLink;
      continue;
    }
    const at = inside ? PYTHON_FRAME.exec(line) : null;
    if (at) frame = `${at[1]}:${at[2]}`;
    else if (inside && line !== '' && line.charCodeAt(0) !== 0x20 && line.charCodeAt(0) !== 0x09) {
      const end = PYTHON_EXCEPTION.exec(line);
      if (end) {
        found = { type: end[1] ?? '', message: end[2] ?? '' };
        inside = false;
      }
    } else if (found && line.trim() !== '' && found.message.length < MOST_MESSAGE) found.message += ` ${line.trim()}`;
  }
  close();
  return chain.length > 0 ? chain : undefined;
}

/** Dagster writes `Type: message`, `Stack Trace:` and its frames, the outermost first and its causes below. */
function readDagsterTrace(lines: readonly string[]): LogException[] | undefined {
  const found: { type: string; message: string; at: string | undefined }[] = [];
  for (const [place, line] of lines.entries()) {
    if (line !== 'Stack Trace:') {
      const frame = PYTHON_FRAME.exec(line);
      const last = found.at(-1);
      if (frame && last) last.at = `${frame[1]}:${frame[2]}`;
      continue;
    }
    const above = lines.slice(0, place).findLast((one) => PYTHON_EXCEPTION.test(one) && !readLink(one));
    const head = PYTHON_EXCEPTION.exec(above ?? '');
    if (head) found.push({ type: head[1] ?? '', message: head[2] ?? '', at: undefined });
  }
  if (found.length === 0) return undefined;
  return found.reverse().map(({ type, message, at }, place) => exception(type, message, at, place > 0 ? 'direct_cause' : undefined));
}

/** Java writes the outermost first and its causes below. */
function readJava(lines: readonly string[]): LogException[] | undefined {
  const found: { type: string; message: string; at: string | undefined }[] = [];
  for (const line of lines) {
    const head = JAVA_EXCEPTION.exec(line) ?? JAVA_EXCEPTION.exec(afterLastColonHead(line));
    if (head && (found.length === 0 || head[1] === 'Caused by: '))
      found.push({ type: head[2] ?? '', message: head[3] ?? '', at: undefined });
    const last = found.at(-1);
    const frame = last && last.at === undefined ? JAVA_FRAME.exec(line) : null;
    if (last && frame) last.at = frame[2] === undefined ? frame[1] : `${frame[2]}:${frame[3]}`;
  }
  if (found.length === 0) return undefined;
  return inChain(found.reverse());
}

/** `Exception in task 0.0 in stage 1.0: java.io.IOException: disk` also names an exception, after its first words. */
function afterLastColonHead(line: string): string {
  const at = line.search(/(?<![\w.$])(?:[A-Za-z]\w*\.)+[A-Z][\w$]*(?:Exception|Error)\b/);
  return at > 0 ? line.slice(at) : '';
}

/** The chain in Airflow 3's `error_detail` (structlog writes the outermost first), root first. */
export function readErrorDetail(detail: unknown): LogException[] | undefined {
  if (!Array.isArray(detail) || detail.length === 0) return undefined;
  const stacks = detail.filter((stack): stack is Record<string, unknown> => stack !== null && typeof stack === 'object').slice(0, 20);
  const chain = stacks.reverse().map((stack, place, all) => {
    const frames = Array.isArray(stack.frames) ? (stack.frames as Record<string, unknown>[]) : [];
    const frame = frames.at(-1);
    const at = frame && typeof frame.filename === 'string' ? `${frame.filename}:${String(frame.lineno)}` : undefined;
    const before = all[place - 1];
    const link = before ? (before.is_cause === true ? 'direct_cause' : 'during_handling') : undefined;
    return exception(String(stack.exc_type ?? 'unknown'), String(stack.exc_value ?? ''), at, link);
  });
  return chain.length > 0 ? chain : undefined;
}
