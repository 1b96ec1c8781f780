// Parses times from callers: ISO 8601 with date, time and offset (RFC 3339). Date() would also accept `1`, `01/02/2026` and local times,
// each of which means a different moment than the caller intended.

const shape = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** The time, or null when it has another format or does not exist (30 February). */
export function parseTime(text: string): Date | null {
  const match = shape.exec(text)
  if (!match) return null
  const at = new Date(text)
  // Date() reads 30 February as 2 March.
  const day = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])))
  return day.getUTCDate() === Number(match[3]) && !Number.isNaN(at.getTime()) ? at : null
}
