// Times as a caller may write them: ISO 8601 with date, time and offset (RFC 3339). Date() would also take `1`, `01/02/2026` and
// local times, and each of them would be some other moment than the caller meant.

const shape = /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/

/** The moment, or null when it is not written so or does not exist (30 February). */
export function parseTime(text: string): Date | null {
  const match = shape.exec(text)
  if (!match) return null
  const at = new Date(text)
  // Date() takes 30 February for 2 March.
  const day = new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])))
  return day.getUTCDate() === Number(match[3]) && !Number.isNaN(at.getTime()) ? at : null
}
