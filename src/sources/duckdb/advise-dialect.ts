interface Habit {
  /** What the engine says. */
  readonly message: RegExp;
  /** What stands in the statement, where the message alone does not tell. */
  readonly sql?: RegExp;
  readonly advice: string;
}

/** Ways of other engines that this one does not know, and how it says the same. */
const HABITS: readonly Habit[] = [
  { message: /`|syntax error/, sql: /`\w+`/, advice: 'names are quoted with double quotes here, not with backticks' },
  { message: /syntax error/, sql: /\bselect\s+(distinct\s+)?top\s+\(?\d/i, advice: 'in place of TOP n, LIMIT n stands at the end' },
  {
    message: /syntax error|NOT IMPLEMENTED/,
    sql: /\blimit\s+\d+\s*,\s*\d/i,
    advice: 'in place of LIMIT skip, n it is LIMIT n OFFSET skip',
  },
  {
    message: /column "(year|quarter|month|week|day|hour|minute|second)s?"/i,
    sql: /\bdate_?(diff|add|part|sub|trunc)\s*\(/i,
    advice: "the part of a date is a text here: date_diff('day', from, to), date_trunc('month', time); time + INTERVAL 1 DAY adds",
  },
  { message: /name (to_char|date_format|format_datetime)\b/i, advice: "times are written with strftime(time, '%Y-%m-%d')" },
  { message: /name (to_date|str_to_date|parse_date)\b/i, advice: "texts are read as times with strptime(text, '%d.%m.%Y')" },
  { message: /name (dateadd|date_sub|adddate)\b/i, advice: 'time + INTERVAL 1 DAY adds, time - INTERVAL 1 DAY subtracts' },
  { message: /name (getdate|sysdate|getutcdate)\b/i, advice: 'the time now is now()' },
  { message: /name (nvl|isnull)\b/i, advice: 'coalesce(value, other) stands in for NULL' },
  { message: /name (safe_cast|try_convert|convert)\b/i, advice: 'TRY_CAST(value AS type) gives NULL for what does not fit' },
];

/** The engine's message with what this engine knows in place of a habit of another; its own guess at a name is then left out. */
export function adviseDialect(message: string, sql: string): string {
  const habit = HABITS.find((one) => one.message.test(message) && (one.sql?.test(sql) ?? true));
  if (habit === undefined) return message;
  const [first] = message.split('\n');
  return `${first}\nThis source is asked in the SQL of DuckDB: ${habit.advice}`;
}
