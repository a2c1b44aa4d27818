import type { Reading } from '../read-data.ts';

/** What programs say when something about them changed. */
export const CHANGED =
  /\b(deploy\w*|releas\w*|roll(?:ed|ing)? ?(?:out|back)|upgrad\w*|migrat\w*|version|v?\d+\.\d+\.\d+|config\w*|settings?|flags?|toggl\w*|switched|enabled|disabled|renamed|changed?)\b|->|=>/i;
/** What programs say when they are held up from outside. */
export const HELD_UP =
  /\b(wait(?:ing|ed|s)?|locks?|locked|deadlock\w*|blocked|429|too many requests|rate.?limit\w*|throttl\w*|retry(?:ing)?|retries|back(?:ing)?.?off|tim(?:ed|e|ing) ?-?out|slow|quota|connection pool|gc pause|pause \w+)\b/i;

/** What a group of messages of a log says, by its example. */
export const saidBy = (one: Reading): string => one.text('example') ?? one.text('template') ?? '';
