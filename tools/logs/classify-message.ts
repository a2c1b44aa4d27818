/** Why a message belongs in a timeline. */
export type NotableKind = 'attempt' | 'state' | 'rows' | 'wait' | 'connection' | 'error_text' | 'schema';

const ATTEMPT = /^Starting attempt \S+ of |^dbt invocation |Running with dbt=/;
const STATE =
  /^Marking task as |marking task as \w+|Task (?:instance is in|exited with return code|finished)|Pausing task as |TaskInstance Finished|final[_ ]state|Job \d* ?(?:failed|aborted|finished)|^Done\. PASS=|Completed (?:successfully|with \S+ (?:error|warning))|^(?:RUN|PIPELINE)_(?:START|SUCCESS|FAILURE|CANCELED) - |^STEP_(?:FAILURE|UP_FOR_RETRY|RESTARTED|SKIPPED) - /i;
const ROWS =
  /\brows?\s*[=:]\s*[\d#]|[\d#]+ (?:\w+ )?(?:rows?|records?)\b|\b(?:INSERT|COPY|UPDATE|DELETE|MERGE) (?:[\d#]+ )?[\d#]+\b|\bcommitted\b|\bROLLBACK\b|rolled back/i;
const WAIT =
  /\bpool\b.*\b(?:slots?|full|starv|wait)|waiting for (?:a )?(?:slot|lock|pool)|no (?:free|open) slots|lock(?:ed)? (?:wait|timeout)|queued for|throttl|rate limit|back(?:ing)?[ -]?off|retrying in/i;
const CONNECTION =
  /connection (?:has been |was )?(?:reset|closed|refused|lost|aborted|terminated|timed out|dropped)|broken pipe|server closed the connection|could not connect|EOF detected|SSL SYSCALL|ECONNRESET|ETIMEDOUT|ECONNREFUSED|no route to host|name or service not known|lost executor|\bno (?:recent )?heartbeats?\b|heartbeats? (?:has |have |was |were )?(?:timed out|timeout|missed|lost|expired|failed|failure|exceed)|(?:missed|lost|without|missing) (?:\w+ )?heartbeats?\b/i;
const SCHEMA =
  /schema (?:has )?changed|schema (?:drift|evolution|mismatch)|(?:dropped|added|removed|renamed|new|missing|unexpected) columns?\b|column .* (?:missing|dropped|added|renamed|not found)/i;
const ERROR_TEXT =
  /\b(?:Database|Compilation|Runtime|Parsing|Syntax|Dependency|Permission|Programming|Operational|Integrity) ?Error\b|\b\d* ?of \S+ (?:ERROR|FAIL)\b|Failure in (?:model|test)|Got \S+ results?, configured to fail|OutOfMemory|MemoryError|\bSIG(?:KILL|TERM|SEGV)\b|\bOOM\b|Traceback \(most recent call last\)|\b\w+(?:Error|Exception): |\bERROR\b(?! ?=|:? ?#\b)|\bFATAL\b|\bORA-\d{5}\b|\bERR!|\bError: \d+, Severity: \d+|^[│|] Error: /;
const ERROR_PHRASE =
  /command not found|\btimed out after \d|(?<!\b0 )\b(?:failed|unable) to [a-z]|does not exist|no such (?:file|table|column|key|bucket)|permission denied|access(?: is)? denied|not authori[sz]ed|authentication failed|out of memory|oom-?kill|memory limit|no space left|disk (?:is )?full|disk quota exceeded|killed by signal|exit code (?:137|139|143)|segmentation fault|deadlock detected|duplicate key value|violates \S+ constraint|division by zero|could not serialize|timeout (?:exceeded|expired)|statement timeout|canceling statement|unhandled exception|could not extend file|read-only file system|too many open files|certificate (?:has )?expired/i;

/**
 * What a message tells beyond its level, by its words; undefined for the rest. An `error_text` is an error that the log
 * wrote at a level below error, as a subprocess's output is.
 */
export function classifyMessage(message: string): NotableKind | undefined {
  if (ATTEMPT.test(message)) return 'attempt';
  if (STATE.test(message)) return 'state';
  if (CONNECTION.test(message)) return 'connection';
  if (ERROR_TEXT.test(message) || ERROR_PHRASE.test(message)) return 'error_text';
  if (SCHEMA.test(message)) return 'schema';
  if (WAIT.test(message)) return 'wait';
  if (ROWS.test(message)) return 'rows';
  return undefined;
}

const WRAPPERS = [
  /^Task failed with exception\b/i,
  /Bash command failed/i,
  /returned (?:a )?non-?zero exit (?:code|status)/i,
  /\bexit(?:ed)?(?: with)?(?: return)? (?:code|status):? [1-9#]/i,
  /\bdbt (?:\w+ )?(?:command )?failed\b/i,
  /^(?:the )?(?:sub)?(?:process|command|script|job|task|step|pipeline|run|dag) (?:\S+ )?(?:has )?failed(?: after [\d#]+ (?:attempts|tries|retries))?\.?$/i,
  /^Failed to execute (?:job|task)\b/i,
  /^Detected (?:a )?zombie (?:job|task)/i,
  /\bMarking task as\b/i,
  /\bupstream(?:[ _]\w+)* failed\b|upstream_failed/i,
  /\bdependenc(?:y|ies)\b.*\bfailed\b|\bdepends on\b.*\bfailed\b/i,
  /^Encountered an error(?: while running operation)?:?$/i,
  /^Completed with \S+ (?:error|failure)/i,
  /^Done\. PASS=/,
  /current transaction is aborted/i,
  /\bSKIP(?:PED|PING)?\b.*\b(?:relation|model|upstream|due to)\b/,
  /^(?:STEP|RUN|PIPELINE)_FAILURE - Execution of (?:step|run|pipeline)\b/,
  /^Error occurred while executing (?:op|asset|step|solid)\b/,
  /^(?:Aborting|Shutting down|Stopping|Giving up|Retries exhausted|Max(?:imum)? retries)\b/i,
];

/** Return code -9 is signal 9: nothing in the task failed, the system or its container ended it, most often for its memory. */
const KILL_CODE = /\b(?:return|exit) (?:code|status):? (?:-9\b|137\b|Negsignal\.SIGKILL)/i;

/** Whether a message that tells how a task ended says that it was killed. */
export function wasKilled(message: string): boolean {
  return KILL_CODE.test(message);
}

/** A process that was killed says why it failed, though an exit code stands beside it. */
const KILLED =
  /\bkilled by signal\b|\bOOM-?Killed\b|\bout of memory\b|\bSIG(?:KILL|SEGV)\b|\bexit(?:ed)?(?: with)?(?: return)? (?:code|status):? (?:137|139)\b/i;
/** `[worker-3] loader: `: the thread and the logger, which some layouts write in front of the message. */
const IN_FRONT = /^(?:\[[^\]]{1,60}\] )?(?:[\w.$-]{1,60}: )?/;

/**
 * True for an error that only reports that something inside it failed: it says nothing of why. The rule is the list of
 * wrapper messages above, put to the root exception's message where there is one, else to the record's own.
 */
export function isWrapperMessage(message: string): boolean {
  if (KILLED.test(message)) return false;
  const bare = message.replace(IN_FRONT, '');
  return WRAPPERS.some((wrapper) => wrapper.test(message) || wrapper.test(bare));
}

const FIGURES = [
  /\b(?:rows?|records?)(?: \w+)?\s*[=:]\s*(\d[\d,_]*)/i,
  /(?<![\w.])(\d[\d,_]*) (?:\w+ )?(?:rows?|records?)\b(?!\s*[=:])/i,
  /\b(?:INSERT|COPY|UPDATE|DELETE|MERGE) (?:\d+ )?(\d+)\b/,
];

/** The number of rows that a message names (`rows=200`, `200 rows`, `INSERT 0 200`); undefined without one. */
export function readRowCount(message: string): bigint | undefined {
  for (const figure of FIGURES) {
    const digits = figure.exec(message)?.[1]?.replace(/[,_]/g, '');
    if (digits !== undefined && digits !== '' && digits.length <= 30) return BigInt(digits);
  }
  return undefined;
}
