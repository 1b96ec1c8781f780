// Base64 as used in mail (RFC 2045, 6.8). A file is encoded piece by piece, so that a large one does not block the thread.

import { createPace } from '../kit/turn.ts'

const bytesPerLine = 57
const charsPerLine = 76
const lineEnd = 2
const cr = 13
const lf = 10
/** How many bytes are encoded at once: less than a millisecond. */
const sliceBytes = bytesPerLine * 4_096

/** Lines of 76 characters with their line ends, in chunks of whole lines; none for an empty file. */
export async function base64Lines(pieces: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<Buffer[]> {
  const pace = createPace()
  const chunks: Buffer[] = []
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const end = bytes.length - (bytes.length % bytesPerLine)
    for (let at = 0; at < end; at += sliceBytes) {
      await pace()
      chunks.push(encodeLines(bytes.subarray(at, Math.min(at + sliceBytes, end))))
    }
    rest = bytes.subarray(end)
  }
  if (rest.length > 0) chunks.push(encodeLines(rest))
  return chunks
}

/** The text is written to the end, and its lines move to the front one by one, which makes room for their ends. */
function encodeLines(bytes: Buffer): Buffer {
  const chars = 4 * Math.ceil(bytes.length / 3)
  const ends = lineEnd * Math.ceil(chars / charsPerLine)
  const lines = Buffer.allocUnsafeSlow(chars + ends)
  lines.write(bytes.toString('base64'), ends, 'latin1')
  let to = 0
  for (let from = ends; from < lines.length; from += charsPerLine) {
    const end = Math.min(from + charsPerLine, lines.length)
    lines.copyWithin(to, from, end)
    to += end - from
    lines[to++] = cr
    lines[to++] = lf
  }
  return lines
}
