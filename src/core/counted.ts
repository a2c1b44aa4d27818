/** `1 tool call`, `2 tool calls`: a noun that takes an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
