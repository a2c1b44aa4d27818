type Fields = Readonly<Record<string, unknown>>;

const TIMES = ['timestamp', 'ts', 'time', '@timestamp', 'asctime', 'datetime', 'eventTime', 'created_at', 'created'];
const MESSAGES = ['event', 'message', 'msg', 'log', 'text', 'short_message', 'body', 'user_message'];
const LEVELS = ['level', 'levelname', 'severity', 'log.level', 'lvl', 'loglevel', 'log_level'];

function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** Whether an object reads like one entry of a log: a message with a time or a level, or an event of a tool that is known. */
export function looksLikeRecord(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  const has = (keys: readonly string[]): boolean => keys.some((key) => value[key] !== undefined && value[key] !== null);
  if (isFields(value.info) && typeof value.info.msg === 'string') return true;
  if (typeof value.eventType === 'string' && isFields(value.run)) return true;
  if (value.dagster_event !== undefined || (typeof value.__typename === 'string' && /Event$/.test(value.__typename))) return true;
  const message = MESSAGES.some((key) => typeof value[key] === 'string');
  return message && (has(TIMES) || has(LEVELS));
}

/** The entries that an answer of a log's interface wraps (`content`, `logs`, `hits.hits` …); undefined where it wraps none. */
export function wrappedRecords(value: unknown, depth = 0): readonly Fields[] | undefined {
  if (!isFields(value) || depth > 3) return undefined;
  for (const child of Object.values(value)) {
    if (!Array.isArray(child)) continue;
    const entries = child.map((one) => (isFields(one) && isFields(one._source) ? one._source : one));
    if (entries.slice(0, 8).some(looksLikeRecord)) return entries.filter(isFields);
  }
  for (const child of Object.values(value)) {
    const found = wrappedRecords(child, depth + 1);
    if (found) return found;
  }
  return undefined;
}

/** The text of a log that an answer of Airflow 2 wraps: plain, or as Python writes a list of (host, text). */
export function wrappedText(value: unknown): readonly string[] | undefined {
  if (!isFields(value) || typeof value.content !== 'string' || Object.keys(value).length > 4) return undefined;
  const { content } = value;
  if (!/^\[\(/.test(content)) return content.split('\n');
  const plain = content
    .replace(/^\[\(\s*(['"]).*?\1,\s*['"]/s, '')
    .replace(/['"]\)\]\s*$/, '')
    .replace(/\\(n|t|'|"|\\)/g, (_, mark: string) => ({ n: '\n', t: '\t' })[mark] ?? mark);
  return plain.split('\n');
}
