/**
 * Results of `soloist bench`. Why each column is there (`docs/database.md` says the same to readers of the file):
 *
 * bench_runs: one run of a suite, which may be interrupted and gone on with
 * - tenant, run: whose it is, and its id.
 * - suite: its name, for the history.
 * - fingerprint: hash of the suite, its agents and how it was asked for; an unfinished run is gone on with only where it is the same.
 * - started_at, finished_at: milliseconds since the epoch; unfinished is NULL.
 * - version: of soloist, since another may give other results.
 * - planned: how many cells it has.
 * - warm_ups: JSON of the calls that made the models ready, which are part of no cell.
 *
 * bench_cells: one finished run of a design on a case; a cell that was killed has no row
 * - tenant, run: as in bench_runs.
 * - design, case_id, seed, repeat: the place of the cell; unique in a run.
 * - session: in the log, to see what was done; empty when none was opened.
 * - timing: `simulated` or `measured`, since the two are never compared.
 * - passed: 0 or 1.
 * - finished_at: milliseconds since the epoch.
 * - result: JSON of all that was measured.
 */
export const CREATE_BENCH = `
CREATE TABLE IF NOT EXISTS bench_runs (
  tenant TEXT NOT NULL,
  run TEXT NOT NULL,
  suite TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  version TEXT NOT NULL,
  planned INTEGER NOT NULL,
  warm_ups TEXT NOT NULL,
  PRIMARY KEY (tenant, run)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS bench_cells (
  tenant TEXT NOT NULL,
  run TEXT NOT NULL,
  design TEXT NOT NULL,
  case_id TEXT NOT NULL,
  seed INTEGER NOT NULL,
  repeat INTEGER NOT NULL,
  session TEXT NOT NULL,
  timing TEXT NOT NULL CHECK (timing IN ('simulated', 'measured')),
  passed INTEGER NOT NULL CHECK (passed IN (0, 1)),
  finished_at INTEGER NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (tenant, run, design, case_id, seed, repeat)
) STRICT, WITHOUT ROWID;
`;
