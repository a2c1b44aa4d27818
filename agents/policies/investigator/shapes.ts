/** The parts of tool results that the rules read. */
export interface RunRow {
  readonly pipeline: string;
  readonly run_id: string;
  readonly type: string;
  readonly state: string;
  readonly logical_date: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly duration_s: number | null;
}

export interface PipelineSummary {
  readonly pipeline: string;
  readonly source: string;
  readonly runs: number;
  readonly by_type_and_state: Readonly<Record<string, number>>;
  readonly median_duration_s: number | null;
  readonly newest_run_id: string;
}

export interface RunList {
  readonly pipelines: readonly PipelineSummary[];
  readonly runs: readonly RunRow[];
}

export interface Group {
  readonly task_id: string;
  readonly count: number;
  readonly baseline_count: number | null;
  readonly working_s: number;
  readonly baseline_working_s: number | null;
  readonly waiting_s: number | null;
  readonly baseline_waiting_s: number | null;
  readonly median_s: number | null;
  readonly baseline_median_s: number | null;
  readonly span_s: number | null;
  readonly baseline_span_s: number | null;
  readonly max_parallel: number;
  readonly baseline_max_parallel: number | null;
  readonly pools: readonly string[];
}

export interface TaskRef {
  readonly task_id: string;
  readonly map_index: number;
  readonly try_number: number;
  readonly state: string;
  readonly ended_at?: string | null;
  readonly message?: string;
}

interface Change {
  readonly changed: boolean | null;
  readonly ratio: number | null;
  readonly seconds: number | null;
  readonly baseline_median_s: number | null;
}

export interface Comparison {
  readonly source: string;
  readonly run: RunRow;
  readonly baseline: {
    readonly runs: number;
    readonly median_duration_s: number | null;
    readonly min_duration_s: number | null;
    readonly max_duration_s: number | null;
    readonly excluded: Readonly<Record<string, number>>;
    readonly with_task_detail: number;
  };
  readonly duration_ratio: number | null;
  readonly working: Change;
  readonly waiting: Change;
  readonly groups: readonly Group[];
  readonly new_tasks: readonly string[];
  readonly gone_tasks: readonly string[];
  readonly retried: readonly TaskRef[];
  readonly failed: readonly TaskRef[];
}

export interface Holder {
  readonly pipeline: string;
  readonly run_id: string;
  readonly pool: string;
  readonly tasks: number;
  readonly max_slots: number;
  readonly seconds_at_max: number;
  readonly held_from: string | null;
  readonly held_until: string | null;
}

export interface SlotUse {
  readonly from: string;
  readonly to: string;
  readonly others: readonly Holder[];
  readonly pools: readonly {
    readonly pool: string;
    readonly slots: number | null;
    readonly others_max_slots: number;
    readonly own_max_slots: number;
    readonly left_for_the_run: number | null;
  }[];
}

export interface RunDetailView {
  readonly run: RunRow;
  readonly task_instances: number;
  readonly by_state: Readonly<Record<string, number>>;
  readonly working_s: number;
  readonly waiting_s: number | null;
  readonly retried: readonly TaskRef[];
  readonly failed: readonly TaskRef[];
  readonly slowest: readonly { readonly task_id: string; readonly map_index: number; readonly duration_s: number }[];
}
