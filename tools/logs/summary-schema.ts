import { z } from 'zod';

const time = z.string().nullable().describe('ISO 8601 UTC with every digit the log gave; null when it gave no full date and time');

function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({ total: z.number(), returned: z.number(), items: z.array(item) });
}

const event = z.object({
  time,
  after: z.string().optional().describe('For an event without a time: the time of the record before it'),
  kind: z.enum(['error', 'error_text', 'warning', 'attempt', 'state', 'rows', 'wait', 'connection', 'schema', 'unparsable']),
  level: z.string().optional().describe('Left out for info and where unknown'),
  file: z.string(),
  line: z.number(),
  task: z.string().optional(),
  attempt: z.number().optional(),
  text: z.string(),
  likely_consequence: z.boolean().optional().describe('True for an error that only reports that something inside it failed'),
  times: z.number().optional().describe('How many alike in this execution; 1 when left out'),
  last: z.string().optional(),
  last_text: z.string().optional(),
  rows: z.string().optional().describe('Rows that the messages name, added up'),
});

const file = z.object({
  file: z.string(),
  formats: z.array(z.string()),
  lines: z.number(),
  records: z.number(),
  bytes: z.number(),
  bytes_read: z.number().optional().describe('Where the file was not read whole'),
  encoding: z.string().optional().describe('Where it is not UTF-8'),
  compression: z.string().optional(),
  first_time: time,
  last_time: time,
  zones: z.record(z.string(), z.number()).optional().describe('Records by the zone they were written with'),
  ambiguous_zones: z.array(z.string()).optional(),
  records_without_zone: z.number().optional().describe('Read as UTC'),
  records_without_date: z.number().optional(),
  records_without_year: z.number().optional().describe('Their year was inferred'),
  year_from: z.string().optional(),
  records_without_time: z.number().optional(),
  unparsable_lines: z.number().optional(),
  cut_last_line: z.boolean().optional(),
  silence: z
    .object({ from: z.string(), to: z.string(), seconds: z.number(), next_longest_s: z.number() })
    .optional()
    .describe('Where nothing was written for far longer than ever else in the file'),
  clock_went_back: z.object({ times: z.number(), from: z.string(), to: z.string() }).optional().describe('Its first time'),
  unparsable_examples: z.array(z.object({ line: z.number(), text: z.string() })).optional(),
  problem: z.string().optional(),
});

const execution = z.object({
  kind: z.enum(['task', 'dbt']),
  pipeline: z.string().optional(),
  task: z.string().optional(),
  run_id: z.string().optional(),
  attempt: z.number().optional(),
  of: z.number().optional(),
  start: time,
  end: time,
  outcome: z.string().describe('The state the log names; unknown when it names none'),
  outcome_from: z.string().optional(),
  file: z.string(),
  line: z.number(),
  errors: z.number().optional(),
  warnings: z.number().optional(),
});

/** What `summarize_log` answers. */
export const summaryOutput = z.object({
  totals: z.object({
    files: z.number(),
    files_skipped: z.number(),
    bytes: z.number(),
    bytes_read: z.number(),
    lines: z.number(),
    records: z.number(),
    by_level: z.record(z.string(), z.number()),
    records_without_zone: z.number(),
    records_without_time: z.number(),
    unparsable_lines: z.number(),
  }),
  first_error: event
    .nullable()
    .describe('The earliest error that is not a likely consequence; a likely consequence only where there is no other'),
  first_warning: event.nullable(),
  first_error_below_error_level: event
    .nullable()
    .describe('The earliest error text that was logged below error level, as output of a subprocess is'),
  tasks: listOf(
    z.object({
      pipeline: z.string().optional(),
      task: z.string(),
      attempts: z.number(),
      runs: z.number().optional(),
      final_state: z.string(),
      start: time,
      end: time,
    }),
  ),
  executions: listOf(execution).describe('Attempts, not files'),
  exceptions: listOf(
    z.object({
      root: z.string(),
      at: z.string().optional(),
      chain: z.array(z.object({ type: z.string(), message: z.string(), link: z.string().optional() })).describe('Root first'),
      times: z.number(),
      first: time,
      last: time,
      file: z.string(),
      line: z.number(),
      task: z.string().optional(),
      attempt: z.number().optional(),
      likely_consequence: z.boolean().optional(),
    }),
  ),
  timeline: listOf(event).describe('Notable events in UTC order across files'),
  messages: listOf(
    z.object({
      template: z.string().describe('Numbers, ids and times replaced by #'),
      level: z.string().optional(),
      count: z.number(),
      first: time,
      last: time,
      example: z.string().optional(),
      file: z.string(),
      line: z.number(),
    }),
  ),
  files: listOf(file),
});

export type LogSummary = z.infer<typeof summaryOutput>;
export type TimelineEvent = z.infer<typeof event>;
export type FileSummary = z.infer<typeof file>;
export type ExecutionSummary = z.infer<typeof execution>;
