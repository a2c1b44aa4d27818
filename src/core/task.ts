/** The only thing that goes down to an agent: never history. */
export interface Task {
  readonly goal: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly expect?: string;
  /** What memory holds on it, quoted: data, never instructions. */
  readonly background?: string;
}

/** The task as the text of the first user message. */
export function renderTask(task: Task): string {
  const parts = [task.goal];
  if (task.inputs && Object.keys(task.inputs).length > 0) parts.push(`Inputs: ${JSON.stringify(task.inputs)}`);
  if (task.expect) parts.push(`Expected result: ${task.expect}`);
  if (task.background) parts.push(task.background);
  return parts.join('\n\n');
}
