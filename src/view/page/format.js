/** `8,474`. */
export function count(number) {
  return String(number).replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');
}

/** `1 call`, `2 calls`. */
export function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** `950 ms`, `12.3 s`, `4 min 05 s`, `2 h 10 min`. */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 119_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** `2026-03-17 06:00:00 UTC`, as logs and the other verbs write it. */
export function moment(at) {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `315 tokens in, 30 out`; a tilde where the counts are an estimate. */
export function tokens({ inputTokens, outputTokens, estimated } = {}) {
  if (inputTokens === undefined && outputTokens === undefined) return '';
  const about = estimated ? '~' : '';
  return `${about}${count(inputTokens ?? 0)} tokens in, ${about}${count(outputTokens ?? 0)} out`;
}

/** `950 characters`, `12.3 thousand characters`. */
export function size(characters) {
  return characters < 1000 ? `${characters} characters` : `${count(Math.round(characters / 100) / 10)} thousand characters`;
}
