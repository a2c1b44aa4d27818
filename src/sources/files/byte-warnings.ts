import type { EncodingReading, FileReading, LineEndingReading } from '../../core/file-reading.ts';
import type { ToolWarning } from '../../core/tool-result.ts';

/** A name that says another compression than the bytes. */
export function nameWarnings(name: string, reading: FileReading): ToolWarning[] {
  const gzipName = /\.(gz|gzip)$/i.test(name);
  if (reading.compression === 'gzip' && !gzipName) return [{ code: 'misnamed', message: 'gzip data under a name without .gz' }];
  if (reading.compression !== 'gzip' && gzipName) return [{ code: 'misnamed', message: 'named .gz but not compressed' }];
  return [];
}

/** What about the bytes is odd. */
export function encodingWarnings(encoding: EncodingReading, endings: LineEndingReading): ToolWarning[] {
  const warnings: ToolWarning[] = [];
  if (encoding.invalid) {
    const { count, first_offset: offset } = encoding.invalid;
    warnings.push({
      code: 'invalid_bytes',
      message: `${count} bytes are not valid ${encoding.name}, the first at byte ${offset}; they come out as U+FFFD`,
    });
  }
  if (encoding.zero_bytes > 0) warnings.push({ code: 'zero_bytes', message: `${encoding.zero_bytes} zero bytes` });
  if (endings.mixed) {
    const counts = `${endings.crlf} CRLF, ${endings.lf} LF, ${endings.cr} CR`;
    warnings.push({ code: 'mixed_line_endings', message: `${counts}; the first change is at line ${endings.first_change_line}` });
  }
  return warnings;
}
