// Dot-stuffing: a line that begins with a dot gets a second one, so that only the final dot stands alone on a line.

const lineEnd = '\r\n'

/** RFC 5321, 4.5.2; the body also gets a line end before the final dot. */
export function* dotStuffed(pieces: Buffer[]): Generator<Buffer> {
  let before = lineEnd
  for (const piece of pieces) {
    yield stuffed(piece, before)
    before = (before + piece.subarray(-2).toString('latin1')).slice(-2)
  }
  if (before !== lineEnd) yield Buffer.from(lineEnd)
}

/** `before`: the two characters before this piece. Most mails have no line that begins with a dot. */
function stuffed(piece: Buffer, before: string): Buffer {
  const begins = piece.subarray(0, 2).includes('.')
  if (!begins && !piece.includes('\r\n.')) return piece
  const text = before + piece.toString('latin1')
  return Buffer.from(text.replaceAll('\r\n.', '\r\n..').slice(before.length), 'latin1')
}
