import { SoloistError } from '../core/errors.ts';

/** What was read is not what was written, where SQLite itself saw nothing wrong. */
export class DamagedStoreError extends Error {
  readonly code = 'SQLITE_CORRUPT';

  constructor(fact: string, details: { cause?: unknown } = {}) {
    super(fact, details);
    this.name = 'DamagedStoreError';
  }
}

interface Explanation {
  readonly fact: string;
  readonly fix: string;
}

const BY_CODE: readonly (readonly [RegExp, Explanation])[] = [
  [
    /^SQLITE_FULL/,
    { fact: 'the disk is full: the event could not be written', fix: 'free some space, or set SOLOIST_HOME to a folder on another disk' },
  ],
  [
    /^SQLITE_(READONLY|PERM)/,
    {
      fact: 'the log database cannot be written: it or its folder is read-only',
      fix: 'change its permissions, or set SOLOIST_HOME to a folder you may write to',
    },
  ],
  [
    /^SQLITE_(BUSY|LOCKED)/,
    { fact: 'the log database is locked by another process', fix: 'wait for it or stop it, or set SOLOIST_HOME to another folder' },
  ],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    {
      fact: 'the log database is damaged or is not a SQLite database',
      fix: 'move the file away (a new one is made), or restore a copy; `sqlite3 FILE .recover` may save the events',
    },
  ],
  [/^SQLITE_TOOBIG/, { fact: 'the event is too large for the log (1 GB at most)', fix: 'ask for less in one call' }],
  [
    /^SQLITE_CANTOPEN/,
    { fact: 'the log database cannot be opened', fix: 'check that its folder exists and may be written to, or set SOLOIST_HOME' },
  ],
  [
    /^SQLITE_IOERR/,
    { fact: 'the disk failed while the log was read or written', fix: 'check the disk, or set SOLOIST_HOME to a folder on another' },
  ],
  [
    // Node says ENOENT of a folder that it cannot make on a read-only file system.
    /^(EACCES|EPERM|EROFS|ENOENT)$/,
    {
      fact: 'the folder of the log database cannot be made: no permission, or a read-only file system',
      fix: 'set SOLOIST_HOME to a folder you may write to',
    },
  ],
  [
    /^(ENOTDIR|EEXIST)$/,
    { fact: 'the folder of the log database cannot be made: a file is in the way', fix: 'set SOLOIST_HOME to a folder' },
  ],
  [
    /^ENOSPC$/,
    {
      fact: 'the disk is full: the folder of the log database cannot be made',
      fix: 'free some space, or set SOLOIST_HOME to a folder on another disk',
    },
  ],
];

const MISSING_BINDING =
  /Could not locate the bindings file|was compiled against a different Node|invalid ELF header|Cannot find (?:package|module) 'better-sqlite3'|better_sqlite3\.node/;

/** An error of SQLite or the file system as one that says what to do; anything else is answered as it came. */
export function explainStoreError(error: unknown, file: string): unknown {
  if (error instanceof SoloistError) return placed(error, file);
  if (!(error instanceof Error)) return error;
  if (MISSING_BINDING.test(error.message)) {
    return new SoloistError('dependency_missing', 'the SQLite binding (better-sqlite3) is missing or was built for another Node', {
      where: 'better-sqlite3',
      fix: 'run `npm rebuild better-sqlite3` in the project; installed globally: `npm install -g --allow-scripts=better-sqlite3 soloist`',
      cause: error,
    });
  }
  const code = (error as { code?: string }).code ?? '';
  if (code.startsWith('SQLITE_CONSTRAINT')) return constraintBroken(error, file);
  const explanation = BY_CODE.find(([pattern]) => pattern.test(code))?.[1];
  if (!explanation) return error;
  return new SoloistError('store_unusable', factOf(error, explanation), { where: file, fix: explanation.fix, cause: error });
}

/** Code that reads one row knows what is wrong with it and not in which file. */
function placed(error: SoloistError, file: string): SoloistError {
  const { code, message, where, fix, cause } = error;
  if (code !== 'store_unusable' || where !== undefined) return error;
  return new SoloistError(code, message, { where: file, ...(fix === undefined ? {} : { fix }), cause });
}

function factOf(error: Error, { fact }: Explanation): string {
  return error instanceof DamagedStoreError ? `the log database is damaged: ${error.message}` : fact;
}

function constraintBroken(error: Error, file: string): SoloistError {
  if (!/UNIQUE|already has/.test(error.message))
    return new SoloistError('internal', `the log refuses this: ${error.message}`, { where: file, cause: error });
  return new SoloistError('refused', 'the log already has an event at this place', {
    where: file,
    fix: 'another process writes to this session: let one of them finish',
    cause: error,
  });
}

/** Runs `work`, its errors explained. */
export function explaining<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explainStoreError(error, file);
  }
}
