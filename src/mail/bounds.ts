// Limits that a mail must meet before anything parses it. Mail parsers take quadratic time for folds, signatures and endless lines, so a
// few bytes could cost minutes; these checks look at each byte once. The limits are far above what any honest mail has.

const maxHeaderBytes = 256 * 1024
const maxFields = 1_000
const maxFieldBytes = 64 * 1024
const maxFieldLines = 1_000
const maxHeaderLines = 5_000
/** DKIM signatures; a forwarded mail has three or four. */
const maxSignatures = 10
/** Each of the ARC fields: RFC 8617, 4.2.1 allows 50 sets. */
const maxArcFields = 50
/** RFC 5322, 2.1.1 allows 998 characters. */
const maxLineBytes = 1024 * 1024

/** Long enough for the names below and the spaces that may precede the colon. */
const maxNameChars = 64

const lf = 0x0a
const cr = 0x0d
const space = 0x20
const tab = 0x09

/** Fields whose number is limited. */
const counted: [name: string, limit: number][] = [
  ['dkim-signature', maxSignatures],
  ['arc-seal', maxArcFields],
  ['arc-message-signature', maxArcFields],
  ['arc-authentication-results', maxArcFields],
]

/** Why the header is refused, naming the limit; null when it is accepted. `start` is the mail, or its first megabyte. */
export function headerFault(start: Buffer): string | null {
  const counts = counted.map(() => 0)
  let fields = 0
  let lines = 0
  let fieldAt = 0
  let fieldLines = 0
  for (let at = 0; at < start.length; ) {
    const end = start.indexOf(lf, at)
    const next = end === -1 ? start.length : end + 1
    if (end === at || (end === at + 1 && start[at] === cr)) return null
    if (next > maxHeaderBytes) return `the header has more than ${maxHeaderBytes} bytes`
    if (++lines > maxHeaderLines) return `the header has more than ${maxHeaderLines} lines`
    if (start[at] !== space && start[at] !== tab) {
      if (++fields > maxFields) return `the header has more than ${maxFields} fields`
      fieldAt = at
      fieldLines = 0
      const fault = countSignature(start, at, counts)
      if (fault !== null) return fault
    }
    if (++fieldLines > maxFieldLines) return `a header field has more than ${maxFieldLines} lines`
    if (next - fieldAt > maxFieldBytes) return `a header field has more than ${maxFieldBytes} bytes`
    at = next
  }
  return null
}

function countSignature(bytes: Buffer, at: number, counts: number[]): string | null {
  const begins = bytes.subarray(at, at + maxNameChars).toString('latin1')
  const name = begins
    .slice(0, Math.max(0, begins.indexOf(':')))
    .trim()
    .toLowerCase()
  const which = counted.findIndex(([one]) => one === name)
  const count = (counts[which] ?? 0) + 1
  counts[which] = count
  const limit = counted[which]?.[1] ?? Number.POSITIVE_INFINITY
  return count > limit ? `the header has more than ${limit} fields ${name}` : null
}

/** Why the body is refused; null when it is accepted. */
export function lineFault(bytes: Buffer): string | null {
  for (let at = 0; at + maxLineBytes < bytes.length; ) {
    const end = bytes.lastIndexOf(lf, at + maxLineBytes)
    if (end < at) return `a line has more than ${maxLineBytes} bytes`
    at = end + 1
  }
  return null
}
