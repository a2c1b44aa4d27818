import type { Tool } from '../src/core/tool.ts';
import { addCheck } from './actions/add-check.ts';
import { cancelRun } from './actions/cancel-run.ts';
import { clearTasks } from './actions/clear-tasks.ts';
import { notify } from './actions/notify.ts';
import { pausePipeline } from './actions/pause-pipeline.ts';
import { retryJob } from './actions/retry-job.ts';
import { triggerRun } from './actions/trigger-run.ts';
import { listArtifacts } from './artifacts/list-artifacts.ts';
import { changesBetween } from './changes/changes-between.ts';
import { readChecks } from './checks/read-checks.ts';
import { compareDbtRuns } from './dbt/compare-dbt-runs.ts';
import { readDbtRun } from './dbt/read-dbt-run.ts';
import { listFiles } from './files/list-files.ts';
import { sniffFile } from './files/sniff-file.ts';
import { recordFinding } from './findings/record-finding.ts';
import { lineage } from './lineage/lineage.ts';
import { readOpenLineage } from './lineage/read-openlineage.ts';
import { searchLogs } from './logs/search-logs.ts';
import { summarizeLog } from './logs/summarize-log.ts';
import { graphAdd } from './memory/graph-add.ts';
import { graphWalk } from './memory/graph-walk.ts';
import { readSkill } from './memory/read-skill.ts';
import { recall } from './memory/recall.ts';
import { remember } from './memory/remember.ts';
import { scratchpad } from './memory/scratchpad.ts';
import { readBlob } from './results/read-blob.ts';
import { compareRuns } from './runs/compare-runs.ts';
import { getRun } from './runs/get-run.ts';
import { listRuns } from './runs/list-runs.ts';
import { whoElseRan } from './runs/who-else-ran.ts';
import { sparkStages } from './spark/spark-stages.ts';
import { readFile } from './text/read-file.ts';
import { searchFiles } from './text/search-files.ts';
import { writeReport } from './text/write-report.ts';
import { checkSql } from './warehouse/check-sql.ts';
import { compareTables } from './warehouse/compare-tables.ts';
import { describeTable } from './warehouse/describe-table.ts';
import { diffSchema } from './warehouse/diff-schema.ts';
import { findDuplicates } from './warehouse/find-duplicates.ts';
import { freshness } from './warehouse/freshness.ts';
import { joinMultiplicity } from './warehouse/join-multiplicity.ts';
import { lateness } from './warehouse/lateness.ts';
import { listTables } from './warehouse/list-tables.ts';
import { profileTable } from './warehouse/profile-table.ts';
import { profileTables } from './warehouse/profile-tables.ts';
import { querySql } from './warehouse/query-sql.ts';
import { reconcileDays } from './warehouse/reconcile-days.ts';
import { rowCounts } from './warehouse/row-counts.ts';
import { validateContract } from './warehouse/validate-contract.ts';

/** Every tool that ships, in the order of the documentation. */
export const BUILT_IN_TOOLS: readonly Tool[] = [
  listArtifacts,
  listRuns,
  getRun,
  compareRuns,
  whoElseRan,
  readDbtRun,
  compareDbtRuns,
  changesBetween,
  readChecks,
  sparkStages,
  lineage,
  readOpenLineage,
  summarizeLog,
  searchLogs,
  listTables,
  describeTable,
  querySql,
  checkSql,
  profileTable,
  profileTables,
  findDuplicates,
  rowCounts,
  freshness,
  lateness,
  reconcileDays,
  compareTables,
  joinMultiplicity,
  diffSchema,
  validateContract,
  listFiles,
  sniffFile,
  readFile,
  searchFiles,
  readBlob,
  recordFinding,
  writeReport,
  recall,
  remember,
  graphAdd,
  graphWalk,
  scratchpad,
  readSkill,
  triggerRun,
  clearTasks,
  retryJob,
  pausePipeline,
  cancelRun,
  addCheck,
  notify,
];
