// The body of a mail on the wire: a line that begins with a dot gets another one, so that the final dot is the only one that stands alone.

const lineEnd = '\r\n'

/** RFC 5321, 4.5.2, and a line end before the final dot. */
export function* dotStuffed(pieces: Buffer[]): Generator<Buffer> {
  let before = lineEnd
  for (const piece of pieces) {
    yield stuffed(piece, before)
    before = (before + piece.subarray(-2).toString('latin1')).slice(-2)
  }
  if (before !== lineEnd) yield Buffer.from(lineEnd)
}

/** `before`: the two characters before the piece. Most mails have no line that begins with a dot. */
function stuffed(piece: Buffer, before: string): Buffer {
  const begins = piece.subarray(0, 2).includes('.')
  if (!begins && !piece.includes('\r\n.')) return piece
  const text = before + piece.toString('latin1')
  return Buffer.from(text.replaceAll('\r\n.', '\r\n..').slice(before.length), 'latin1')
}
